// What the window shows: the lists, the open handoff, and what git says about it.
import { call, host, listen, isDeskError, type DeskError } from '../ipc/transport'
import type { ApprovalPreview } from '../ipc/bindings/ApprovalPreview'
import type { Detail } from '../ipc/bindings/Detail'
import type { Drift } from '../ipc/bindings/Drift'
import type { ListName } from '../ipc/bindings/ListName'
import type { Overview } from '../ipc/bindings/Overview'
import type { Progress } from '../ipc/bindings/Progress'
import type { Raw } from '../ipc/bindings/Raw'
import type { Row } from '../ipc/bindings/Row'
import { Draft } from './draft.svelte'

export type View = 'desk' | 'profiles'
export type Dialog = 'approve' | 'return' | 'palette' | 'keys' | 'leave' | null
export interface Toast {
  id: number
  message: string
  tone: 'plain' | 'bad'
  undo?: () => void
}

const FRESH_MS = 15_000
const TOAST_MS = 10_000

class DeskState {
  overview = $state<Overview | null>(null)
  list = $state<ListName>('inbox')
  repo = $state<string | null>(null)
  profile = $state<string | null>(null)
  rows = $state.raw<Row[]>([])
  total = $state(0)
  selected = $state<string | null>(null)
  detail = $state.raw<Detail | null>(null)
  drift = $state.raw<Drift | null>(null)
  readAt = $state(0)
  raw = $state.raw<Raw | null>(null)
  draft = $state<Draft | null>(null)
  preview = $state.raw<ApprovalPreview | null>(null)
  view = $state<View>('desk')
  dialog = $state<Dialog>(null)
  problem = $state<DeskError | null>(null)
  toasts = $state<Toast[]>([])
  progress = $state<Progress | null>(null)
  now = $state(Date.now())
  status = $state('')
  #toast = 0
  #looking = 0

  async start(): Promise<void> {
    await listen((event) => {
      if (event.kind === 'index_changed') void this.refresh()
      if (event.kind === 'repository_changed' && event.handle === this.selected) void this.reread(true)
      if (event.kind === 'progress') this.progress = event.progress
    })
    setInterval(() => {
      this.now = Date.now()
      if (this.detail && this.now - this.readAt > FRESH_MS && document.hasFocus() && this.dialog !== 'approve') void this.look()
    }, 1_000)
    window.addEventListener('focus', () => void this.reread(false))
    await this.refresh()
    if (this.overview && this.overview.profiles.length > 0) await this.scan()
    else this.view = 'profiles'
    const first = await host<string | null>('first').catch(() => null)
    if (first) await this.select(first)
    else if (!this.selected && this.rows[0]) await this.select(this.rows[0].handle)
  }

  async guarded<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work
    } catch (error) {
      if (isDeskError(error)) this.problem = error
      return undefined
    }
  }

  async scan(): Promise<void> {
    this.progress = { kind: 'started', what: 'Looking for handoffs' }
    await this.guarded(call('index', {}))
    this.progress = null
    await this.refresh()
  }

  async cancelScan(): Promise<void> {
    await host('cancel').catch(() => {})
  }

  async refresh(): Promise<void> {
    const overview = await this.guarded(call('overview', {}))
    if (overview) this.overview = overview
    const page = await this.guarded(
      call('handoffs', { list: this.list, ...(this.repo ? { repo: this.repo } : {}), ...(this.profile ? { profile: this.profile } : {}) }),
    )
    if (!page) return
    this.rows = page.rows
    this.total = page.total
    void this.verdicts(page.rows.slice(0, 60).filter((row) => row.verdict === null).map((row) => row.handle))
  }

  async verdicts(handles: string[]): Promise<void> {
    if (handles.length === 0) return
    const found = await call('verdicts', { handles }).catch(() => [])
    const known = new Map(found.map((one) => [one.handle, one]))
    this.rows = this.rows.map((row) => {
      const one = known.get(row.handle)
      return one ? { ...row, verdict: one.verdict, ahead: one.ahead } : row
    })
  }

  async show(list: ListName, repo: string | null = null, profile: string | null = null): Promise<void> {
    this.view = 'desk'
    this.list = list
    this.repo = repo
    this.profile = profile
    await this.refresh()
  }

  async select(handle: string): Promise<void> {
    if (this.draft?.dirty) {
      this.dialog = 'leave'
      return
    }
    this.draft = null
    this.view = 'desk'
    this.selected = handle
    this.drift = null
    this.raw = null
    const detail = await this.guarded(call('handoff_detail', { id: handle }))
    if (!detail || this.selected !== handle) return
    this.detail = detail
    if (detail.readable === 'refused' || detail.readable === 'incomplete' || detail.readable === 'not_a_handoff') {
      this.raw = (await this.guarded(call('raw', { id: handle }))) ?? null
    }
    void host('look_at', { id: handle }).catch(() => {})
    const glance = await call('drift', { id: handle, depth: 'glance' }).catch(() => null)
    if (this.selected === handle && glance) this.drift = glance
    await this.look()
  }

  async look(): Promise<void> {
    const handle = this.selected
    if (!handle) return
    const turn = ++this.#looking
    const before = this.drift
    const drift = await this.guarded(call('drift', { id: handle, depth: 'look' }))
    if (!drift || turn !== this.#looking || handle !== this.selected) return
    if (before?.looked && before.now.branch !== drift.now.branch) this.status = 'The branch changed while you looked.'
    else if (before?.looked && before.now.head !== drift.now.head) this.status = 'HEAD moved while you looked.'
    this.drift = drift
    this.readAt = Date.now()
    const holds = this.detail?.state === 'approved' ? await call('check_approval', { id: handle }).catch(() => null) : null
    if (holds && holds.differences.length > 0) {
      this.status = `The approval lapsed: ${holds.differences.join('; ')}`
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
    this.rows = this.rows.map((row) => (row.handle === handle ? { ...detail.row, verdict: row.verdict, ahead: row.ahead } : row))
    if (changed || Date.now() - this.readAt > FRESH_MS) await this.look()
  }

  async move(step: number): Promise<void> {
    const at = this.rows.findIndex((row) => row.handle === this.selected)
    const next = this.rows[Math.max(0, Math.min(this.rows.length - 1, at + step))]
    if (next && next.handle !== this.selected) await this.select(next.handle)
  }

  get offered(): boolean {
    return this.detail !== null && (this.detail.readable === 'full' || this.detail.readable === 'partial')
  }

  edit(): void {
    if (!this.detail || this.draft) return
    if (this.detail.readable === 'refused' || this.detail.readable === 'not_a_handoff') return
    this.draft = new Draft(this.detail)
  }

  async save(widenOk: boolean): Promise<void> {
    const draft = this.draft
    if (!draft || !this.selected || !draft.dirty) return
    await draft.tryOut(this.selected)
    if (draft.problem || draft.conflict) return
    if (draft.widened.length > 0 && !widenOk) {
      draft.asking = true
      return
    }
    try {
      const edited = await call('edit', { id: this.selected, base: draft.base, edits: draft.edits })
      this.draft = null
      this.toast(`Saved as ${edited.rev.slice(0, 8)}.`)
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

  async decide(op: 'return' | 'skip' | 'stop' | 'reopen' | 'expire', note?: string): Promise<void> {
    const handle = this.selected
    if (!handle || this.draft) return
    const done = await this.guarded(call(op, note ? { id: handle, note } : { id: handle }))
    if (!done) return
    this.dialog = null
    if (op === 'skip') this.toast('Skipped.', () => void this.undo(handle))
    await this.refresh()
    await this.reread(false)
  }

  async undo(handle: string): Promise<void> {
    await this.guarded(call('reopen', { id: handle }))
    await this.refresh()
    await this.select(handle)
  }

  async copy(how: 'block' | 'path'): Promise<void> {
    if (!this.selected) return
    const given = await this.guarded(call('handed_over', { id: this.selected, how }))
    if (!given) return
    await navigator.clipboard.writeText(given.text).catch(() => {
      this.toast('The clipboard is not available.', undefined, 'bad')
    })
    this.toast(how === 'block' ? 'Block copied. Recorded as handed over by hand.' : 'Path copied. Recorded as handed over by hand.')
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
