// What the window shows: the lists, the open handoff, and what git says about it.
import { tick } from 'svelte'
import { call, host, listen, isDeskError, type DeskError } from '../ipc/transport'
import type { ApprovalPreview } from '../ipc/bindings/ApprovalPreview'
import type { Draft as Next } from '../ipc/bindings/Draft'
import type { Detail } from '../ipc/bindings/Detail'
import type { Drift } from '../ipc/bindings/Drift'
import type { ListName } from '../ipc/bindings/ListName'
import type { Overview } from '../ipc/bindings/Overview'
import type { Progress } from '../ipc/bindings/Progress'
import type { Raw } from '../ipc/bindings/Raw'
import type { RepositoryRules } from '../ipc/bindings/RepositoryRules'
import type { Since } from '../ipc/bindings/Since'
import type { SinceLook } from '../ipc/bindings/SinceLook'
import { focusEntry, type EditPlace } from './places'
import { t } from '../text/index.svelte'
import { Draft } from './draft.svelte'
import { Marks, type Act } from './marks.svelte'
import { Rows } from './rows.svelte'
import { settings } from './settings.svelte'

export type View = 'desk' | 'profiles' | 'settings'
export type Dialog = 'resume' | 'next' | 'approve' | 'return' | 'palette' | 'keys' | 'leave' | 'profile' | 'example' | 'difference' | null
export interface Toast {
  id: number
  message: string
  tone: 'plain' | 'bad'
  undo?: () => void
}

/** A sentence of the engine, in the person's language where it is known. */
const said = (sentence: string) => t.said(sentence) ?? sentence

const FRESH_MS = 15_000
const TOAST_MS = 10_000
const MINUTE_MS = 60_000
/** Two changes of the repository within this time, and somebody is at work in it. */
const AT_WORK_MS = 8_000

class DeskState {
  overview = $state<Overview | null>(null)
  list = $state<ListName>('inbox')
  repo = $state<string | null>(null)
  profile = $state<string | null>(null)
  /** What the list is narrowed to, in the language of lists, and the name it is saved under. */
  query = $state<{ text: string; name: string | null } | null>(null)
  rows = new Rows()
  marks = new Marks(this.rows)
  selected = $state<string | null>(null)
  detail = $state.raw<Detail | null>(null)
  /** The selected handoff is being read. */
  reading = $state(false)
  drift = $state.raw<Drift | null>(null)
  readAt = $state(0)
  /** Until when the tree counts as being worked in. */
  changingUntil = $state(0)
  raw = $state.raw<Raw | null>(null)
  /** What the handoff before said, and what the repository tells agents: shown beside the document. */
  since = $state.raw<Since | null>(null)
  rules = $state.raw<RepositoryRules[]>([])
  /** What changed since a person looked at this handoff last. */
  lastLook = $state.raw<SinceLook | null>(null)
  draft = $state<Draft | null>(null)
  preview = $state.raw<ApprovalPreview | null>(null)
  /** The next handoff, drafted from one that came back. */
  next = $state.raw<Next | null>(null)
  view = $state<View>('desk')
  dialog = $state<Dialog>(null)
  /** The program was asked to end while an edit was not saved. */
  leaving = $state(false)
  problem = $state<DeskError | null>(null)
  toasts = $state<Toast[]>([])
  progress = $state<Progress | null>(null)
  now = $state(Date.now())
  /** The time by which lists count: another one once a minute. */
  minute = $state(Date.now())
  status = $state('')
  #toast = 0
  #looking = 0
  #changedAt = 0

  get changing(): boolean {
    return this.now < this.changingUntil || (this.detail?.settling ?? false)
  }

  async start(): Promise<void> {
    // The rows before all else: folders that are watched and a scan take the same processors.
    await Promise.all([this.guarded(settings.load()), this.refresh()])
    await listen((event) => {
      if (event.kind === 'index_changed') void this.refresh().then(() => this.reread(false))
      if (event.kind === 'leaving') {
        this.leaving = true
        this.dialog = 'leave'
      }
      if (event.kind === 'show') void (event.handle ? this.select(event.handle) : this.leaveForInbox())
      if (event.kind === 'repository_changed' && event.handle === this.selected) {
        const now = Date.now()
        if (now - this.#changedAt < AT_WORK_MS) this.changingUntil = now + AT_WORK_MS
        this.#changedAt = now
        void this.reread(true)
      }
      if (event.kind === 'progress') this.progress = event.progress.kind === 'started' || event.progress.kind === 'step' ? event.progress : null
    })
    setInterval(() => {
      this.now = Date.now()
      if (Math.floor(this.now / MINUTE_MS) !== Math.floor(this.minute / MINUTE_MS)) this.minute = this.now
      if (this.detail && this.now - this.readAt > FRESH_MS && document.hasFocus() && this.dialog !== 'approve') void this.look()
    }, 1_000)
    window.addEventListener('focus', () => void this.reread(false))
    if (!this.overview || this.overview.profiles.length === 0) {
      this.view = 'profiles'
      return
    }
    // What is known already is shown at once; what the scan finds comes in beside it.
    const first = await host<string | null>('first').catch(() => null)
    if (!first) void this.selectTop()
    await this.scan()
    if (first) await this.select(first)
    else await this.selectTop()
  }

  /** Opens the first of the list where nothing is open. */
  async selectTop(): Promise<void> {
    const top = this.selected ? undefined : await this.rows.reach(0)
    if (top && !this.selected && this.view === 'desk') await this.select(top.handle)
  }

  async guarded<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work
    } catch (error) {
      if (isDeskError(error)) this.problem = error
      return undefined
    }
  }

  async addProfile(profile: { name: string; agent: string; roots: string[] }): Promise<boolean> {
    if (!(await this.guarded(call('profile_add', profile)))) return false
    await this.scan()
    return true
  }

  async scan(): Promise<void> {
    this.progress = { kind: 'started', what: '' }
    await this.guarded(call('index', {}))
    this.progress = null
    await this.refresh()
  }

  async cancelScan(): Promise<void> {
    await host('cancel').catch(() => {})
  }

  async refresh(): Promise<void> {
    const rows = this.rows.load({
      list: this.list,
      ...(this.list === 'inbox' ? { grouped: true } : {}),
      ...(this.repo ? { repo: this.repo } : {}),
      ...(this.profile ? { profile: this.profile } : {}),
      ...(this.query ? { query: this.query.text } : {}),
    })
    // The list is looked at first; it does not wait for the numbers beside it.
    const [, overview] = await Promise.all([this.guarded(rows), this.guarded(call('overview', {}))])
    if (overview) this.overview = overview
  }

  async show(list: ListName, repo: string | null = null, profile: string | null = null): Promise<void> {
    await this.turnTo(list, repo, profile)
    await this.#openListed()
  }

  /** Another list beside what is open. */
  async turnTo(list: ListName, repo: string | null = null, profile: string | null = null): Promise<void> {
    this.view = 'desk'
    this.list = list
    this.repo = repo
    this.profile = profile
    this.query = null
    this.marks.clear()
    await this.refresh()
  }

  /** Everything that a search finds, as a list. */
  async showFound(text: string, name: string | null = null): Promise<void> {
    this.view = 'desk'
    this.list = 'all'
    this.repo = this.profile = null
    this.query = { text, name }
    this.marks.clear()
    await this.refresh()
    await this.#openListed()
  }

  /** What is open is one of the list: keys that act on it must not mean a handoff that is not seen there. */
  async #openListed(): Promise<void> {
    if (this.draft || this.rows.indexOf(this.selected) >= 0) return
    this.selected = null
    this.detail = this.drift = this.raw = null
    await this.selectTop()
  }

  async leaveForInbox(): Promise<void> {
    if (this.draft?.dirty) this.dialog = 'leave'
    else await this.show('inbox')
  }

  leaveFor(view: View): void {
    if (this.draft?.dirty) this.dialog = 'leave'
    else {
      this.draft = null
      this.view = view
    }
  }

  async select(handle: string): Promise<void> {
    if (this.draft?.dirty) {
      this.dialog = 'leave'
      return
    }
    this.draft = null
    this.view = 'desk'
    const other = this.selected !== handle
    if (other) {
      this.since = null
      this.rules = []
      this.lastLook = null
    }
    this.selected = handle
    this.drift = null
    this.raw = null
    this.changingUntil = this.#changedAt = 0
    this.reading = true
    const detail = await this.guarded(call('handoff_detail', { id: handle }))
    if (this.selected !== handle) return
    this.reading = false
    if (!detail) return
    this.detail = detail
    if (detail.readable === 'refused' || detail.readable === 'incomplete' || detail.readable === 'not_a_handoff') {
      this.raw = (await this.guarded(call('raw', { id: handle }))) ?? null
    }
    void host('look_at', { id: handle }).catch(() => {})
    const glance = await call('drift', { id: handle, depth: 'glance' }).catch(() => null)
    if (this.selected === handle && glance) this.drift = glance
    void this.beside(handle)
    await this.look()
    const lastLook = other ? await call('looked', { id: handle }).catch(() => null) : null
    if (lastLook && this.selected === handle) this.lastLook = lastLook
  }

  /** What stands beside the document. It comes when it is there; a document without it is whole. */
  async beside(handle: string): Promise<void> {
    const [since, rules] = await Promise.all([call('since', { id: handle }).catch(() => null), call('rules', { id: handle }).catch(() => [])])
    if (this.selected !== handle) return
    this.since = since
    this.rules = rules
  }

  async look(): Promise<void> {
    const handle = this.selected
    if (!handle) return
    const turn = ++this.#looking
    const before = this.drift
    const drift = await this.guarded(call('drift', { id: handle, depth: 'look' }))
    if (!drift || turn !== this.#looking || handle !== this.selected) return
    if (before?.looked && before.now.branch !== drift.now.branch) this.status = t.branchMoved
    else if (before?.looked && before.now.head !== drift.now.head) this.status = t.headMoved
    this.drift = drift
    this.readAt = Date.now()
    const holds = this.detail?.state === 'approved' ? await call('check_approval', { id: handle }).catch(() => null) : null
    if (holds && holds.differences.length > 0) {
      this.status = t.lapsedBecause(holds.differences.map(said).join('; '))
      await this.reread(false)
    }
  }

  /** Reads the open handoff again; the selection and a draft stay. */
  async reread(changed: boolean): Promise<void> {
    const handle = this.selected
    if (!handle || this.view !== 'desk') return
    const detail = await call('handoff_detail', { id: handle }).catch(() => null)
    if (!detail || handle !== this.selected) return
    if (this.draft && detail.rev !== this.draft.base) await this.draft.met(handle)
    else if (!this.draft) this.detail = detail
    this.rows.replace(detail.row)
    if (changed) void this.beside(handle)
    if (changed || Date.now() - this.readAt > FRESH_MS) await this.look()
    await this.#previewAgain()
  }

  /** What an open dialog would approve is what stands now; the dialog says what became another. */
  async #previewAgain(): Promise<void> {
    const before = this.preview
    if (this.dialog !== 'approve' || !before) return
    const now = await call('approval_preview', { id: before.handle }).catch(() => null)
    if (!now || this.preview !== before || this.dialog !== 'approve') return
    if (now.rev !== before.rev || now.fingerprint !== before.fingerprint || now.block_hash !== before.block_hash) this.preview = now
  }

  async move(step: number): Promise<void> {
    const at = this.rows.indexOf(this.selected)
    const next = await this.rows.reach(Math.max(0, Math.min(this.rows.total - 1, at + step)))
    if (next && next.handle !== this.selected) await this.select(next.handle)
  }

  get offered(): boolean {
    return this.detail !== null && (this.detail.readable === 'full' || this.detail.readable === 'partial')
  }

  /** Opens the draft, at an entry when one is named. */
  edit(place?: EditPlace): void {
    if (!this.detail) return
    if (this.detail.readable === 'refused' || this.detail.readable === 'not_a_handoff') return
    this.draft ??= new Draft(this.detail)
    if (!place) return
    const key = place.index === null ? null : this.draft.at(place.field, place.index)?.key
    void tick().then(() => focusEntry(place.field, key ?? null))
  }

  async save(widenOk: boolean): Promise<void> {
    const draft = this.draft
    if (!draft || !this.selected || !draft.dirty) return
    await draft.tryOut(this.selected)
    if (draft.problem || draft.conflict) return
    if (draft.mustAsk && !widenOk) {
      draft.asking = true
      return
    }
    try {
      const edited = await call('edit', { id: this.selected, base: draft.base, edits: draft.edits })
      this.draft = null
      this.toast(edited.copy_because ? t.savedCopy(edited.handle) : t.saved(edited.rev.slice(0, 8)))
      await this.refresh()
      await this.select(edited.handle)
    } catch (error) {
      if (isDeskError(error)) draft.refused(error)
    }
  }

  discard(): void {
    this.draft = null
    this.dialog = null
    if (this.selected) void this.select(this.selected)
  }

  async openApprove(): Promise<void> {
    if (!this.selected || !this.offered || this.draft) return
    const preview = await this.guarded(call('approval_preview', { id: this.selected }))
    if (!preview) return
    this.preview = preview
    this.dialog = 'approve'
  }

  async openNext(): Promise<void> {
    if (!this.selected || this.draft) return
    this.next = (await this.guarded(call('draft', { id: this.selected }))) ?? null
    if (this.next) this.dialog = 'next'
  }

  /** Shift and an arrow: the run of marks goes on to where the selection goes. */
  async extend(step: number): Promise<void> {
    const at = this.rows.indexOf(this.selected)
    if (at >= 0) await this.extendTo(Math.max(0, Math.min(this.rows.total - 1, at + step)))
  }

  async extendTo(place: number): Promise<void> {
    const at = this.rows.indexOf(this.selected)
    await this.guarded(this.marks.extend(at < 0 ? place : at, place))
    const row = this.rows.at(place)
    if (row && row.handle !== this.selected) await this.select(row.handle)
  }

  async markGroup(place = this.rows.indexOf(this.selected)): Promise<void> {
    const group = this.rows.groupOf(place)
    if (group) await this.guarded(this.marks.all(group.start, group.count))
  }

  async markAll(): Promise<void> {
    await this.guarded(this.marks.all(0, this.rows.total))
  }

  /** One act with everything that is marked, else with the open handoff; with that one alone when asked. */
  async triage(what: Act, alone = false): Promise<void> {
    if (this.draft) return
    const many = !alone && this.marks.size > 0
    const place = this.rows.indexOf(this.selected)
    const answer = await this.guarded(this.marks.act(what, this.selected, alone))
    if (!answer) return
    this.dialog = null
    const token = answer.undo
    if (token) this.toast(t.triaged(what, answer.done.length), () => void this.takeBack(token))
    if (answer.left_out.length > 0) this.toast(t.leftOut(answer.left_out.length, said(answer.left_out[0]?.message ?? '')), undefined, 'bad')
    await this.refresh()
    const gone = many && this.selected !== null && answer.done.includes(this.selected) && this.rows.indexOf(this.selected) < 0
    const next = gone && this.rows.total > 0 ? await this.rows.reach(Math.min(Math.max(0, place), this.rows.total - 1)) : undefined
    if (next) await this.select(next.handle)
    else await this.reread(false)
  }

  async takeBack(token?: string): Promise<void> {
    const answer = await this.guarded(this.marks.takeBack(token))
    if (!answer) return
    this.toasts = this.toasts.filter((toast) => !toast.undo)
    this.toast(answer.left_out.length ? t.leftOut(answer.left_out.length, said(answer.left_out[0]?.message ?? '')) : t.takenBack(answer.done.length))
    await this.refresh()
    await this.reread(false)
  }

  async decide(op: 'return' | 'stop' | 'reopen' | 'expire', note?: string): Promise<void> {
    const handle = this.selected
    if (!handle || this.draft) return
    const done = await this.guarded(call(op, note ? { id: handle, note } : { id: handle }))
    if (!done) return
    this.dialog = null
    await this.refresh()
    await this.reread(false)
  }

  async mark(mark: 'done' | 'failed' | 'resumed'): Promise<void> {
    if (!this.selected || !(await this.guarded(call('mark', { id: this.selected, as: mark })))) return
    await this.refresh()
    await this.reread(false)
  }

  async recheck(item: string): Promise<void> {
    if (!this.selected || !(await this.guarded(call('recheck', { id: this.selected, item })))) return
    await this.reread(true)
  }

  /** The first fact that the tree touched and nobody looked at since. */
  async recheckNext(): Promise<void> {
    const stale = this.drift?.freshness.find(
      (one) => one.item.startsWith('facts/') && (one.state === 'touched' || one.state === 'gone') && !this.detail?.rechecked.includes(one.item),
    )
    if (stale) await this.recheck(stale.item)
  }

  async copy(how: 'block' | 'path'): Promise<void> {
    if (!this.selected) return
    const given = await this.guarded(call('handed_over', { id: this.selected, how }))
    if (!given) return
    await navigator.clipboard.writeText(given.text).catch(() => {
      this.toast(t.noClipboard, undefined, 'bad')
    })
    this.toast(how === 'block' ? t.blockCopied : t.pathCopied)
  }

  async bind(): Promise<void> {
    if (!this.selected) return
    const folder = await this.guarded(host<string | null>('choose_folder'))
    if (!folder) return
    await this.guarded(call('bind', { id: this.selected, repo: folder }))
    await this.select(this.selected)
  }

  toast(message: string, undo?: () => void, tone: Toast['tone'] = 'plain'): void {
    const toast: Toast = { id: ++this.#toast, message, tone, ...(undo ? { undo } : {}) }
    this.toasts = [...this.toasts, toast]
    setTimeout(() => this.dismiss(toast.id), TOAST_MS)
  }

  dismiss(id: number): void {
    this.toasts = this.toasts.filter((toast) => toast.id !== id)
  }
}

export const desk = new DeskState()
