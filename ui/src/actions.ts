// What the keys and the palette do. An action that the screen does not offer does nothing.
import { tick } from 'svelte'
import { host } from './ipc/transport'
import { actionOf, type Action } from './keys'
import { desk } from './state/desk.svelte'
import { runs } from './state/run.svelte'
import { settings } from './state/settings.svelte'

/** What is on the screen can be done. */
export const can = (action: string) => document.querySelector(`[data-action="${action}"]`) !== null

const listed = () => desk.view === 'desk' && !desk.draft

function section(step: number): void {
  const all = [...document.querySelectorAll<HTMLElement>('.says [data-section]')]
  const top = document.querySelector('.two')?.getBoundingClientRect().top ?? 0
  const at = all.findIndex((one) => one.getBoundingClientRect().top > top - 20)
  all[Math.max(0, Math.min(all.length - 1, (at < 0 ? all.length - 1 : at) + step))]?.scrollIntoView({ block: 'start' })
}

/** Rows that the list shows at once, but for one that stays as a hold for the eye. */
function page(): number {
  const list = document.querySelector<HTMLElement>('.listbox')
  const row = list?.querySelector<HTMLElement>('.row')
  return list && row ? Math.max(1, Math.floor(list.clientHeight / row.offsetHeight) - 1) : 1
}

function pane(): void {
  const panes = [...document.querySelectorAll<HTMLElement>('.listbox, [role="toolbar"], .two, .repo [role="tab"][aria-selected="true"]')]
  const at = panes.findIndex((one) => one.contains(document.activeElement))
  const next = panes[(at + 1) % panes.length]
  ;(next?.role === 'toolbar' ? next.querySelector('button') : next)?.focus()
}

async function boundary(): Promise<void> {
  desk.edit()
  await tick()
  // Where there is no rule yet, the first one to be written is what must not happen.
  const first = document.querySelector<HTMLElement>('.bound textarea') ?? document.querySelector<HTMLElement>('.bound [data-add="safety.never"]')
  first?.focus()
}

/** Resuming only what is approved; a run that came back goes on in the next handoff. */
function primary(): void {
  if (can('resume')) desk.dialog = 'resume'
  else if (can('next-handoff')) void desk.openNext()
  else if (can('approve')) void desk.openApprove()
}

export const actions: Partial<Record<Action, () => void>> = {
  down: () => void desk.move(1),
  up: () => void desk.move(-1),
  page_down: () => void desk.move(page()),
  page_up: () => void desk.move(-page()),
  first: () => void desk.move(-desk.rows.total),
  last: () => void desk.move(desk.rows.total),
  inbox: () => void desk.show('inbox'),
  approved: () => void desk.show('approved'),
  running: () => void desk.show('running'),
  returned: () => void desk.show('returned'),
  all: () => void desk.show('all'),
  primary,
  stop: () => void runs.stop(),
  approve: () => can('approve') && void desk.openApprove(),
  edit: () => can('edit') && desk.edit(),
  boundary: () => can('edit') && void boundary(),
  return: () => can('return') && (desk.dialog = 'return'),
  skip: () => (desk.marks.size > 0 || can('skip')) && void desk.triage('skip'),
  supersede: () => listed() && void desk.triage('supersede'),
  archive: () => listed() && void desk.triage(desk.list === 'archive' ? 'unarchive' : 'archive'),
  undo: () => void desk.takeBack(),
  mark: () => listed() && desk.selected && desk.marks.toggle(desk.selected),
  mark_group: () => listed() && void desk.markGroup(),
  mark_all: () => listed() && void desk.markAll(),
  extend_down: () => void desk.extend(1),
  extend_up: () => void desk.extend(-1),
  copy: () => can('copy-block') && void desk.copy('block'),
  recheck: () => can('recheck') && void desk.recheckNext(),
  difference: () => can('difference') && (desk.dialog = 'difference'),
  previous_section: () => section(-1),
  next_section: () => section(1),
  next_pane: pane,
  theme: () => void desk.guarded(settings.nextTheme()),
  palette: () => (desk.dialog = 'palette'),
  keys: () => (desk.dialog = 'keys'),
}

/** A dialog is open, also one of the draft's own. */
function asked(): boolean {
  return desk.dialog !== null || desk.draft?.asking === true || !!desk.draft?.moving
}

/** Saves; the program ends too when that was asked for and nothing keeps the edit open. */
export async function saveAndLeave(): Promise<void> {
  const leaving = desk.leaving
  desk.dialog = null
  await desk.save(false)
  if (leaving && !desk.draft) await desk.guarded(host('leave'))
}

function back(): boolean {
  if (desk.dialog) desk.dialog = null
  else if (desk.draft?.moving) desk.draft.moving = null
  else if (desk.draft?.asking) desk.draft.asking = false
  else if (desk.problem) desk.problem = null
  else if (desk.marks.size > 0 && !desk.draft) desk.marks.clear()
  else if (desk.query && !desk.draft) void desk.show('inbox')
  else if (desk.draft) {
    if (desk.draft.dirty) desk.dialog = 'leave'
    else desk.discard()
  } else return false
  return true
}

/** The page's one listener for keys. */
export function onKey(event: KeyboardEvent): void {
  const action = event.defaultPrevented ? null : actionOf(event)
  if (!action) return
  if (action === 'back') {
    if (!back()) return
  } else if (action === 'save') {
    if (!desk.draft || (asked() && desk.dialog !== 'leave')) return
    void saveAndLeave()
  } else if (asked() && action !== 'palette' && action !== 'keys') return
  else if (!actions[action]) return
  else actions[action]()
  event.preventDefault()
}
