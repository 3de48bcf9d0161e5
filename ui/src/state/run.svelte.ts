// The run of the open handoff: read anew every second while somebody holds it or a start waits for its time.
import type { QuestionView } from '../ipc/bindings/QuestionView'
import type { Raw } from '../ipc/bindings/Raw'
import type { ResumePreview } from '../ipc/bindings/ResumePreview'
import type { RunChanges } from '../ipc/bindings/RunChanges'
import type { RunView } from '../ipc/bindings/RunView'
import { call, isDeskError, type DeskError } from '../ipc/transport'
import { t } from '../text/index.svelte'
import { desk } from './desk.svelte'

const EVERY_MS = 1_000
/** While something runs, the lists and what it changed are read anew this often. */
const LISTS_MS = 5_000
const moving = ['claimed', 'running']
const over = ['verified', 'done', 'failed', 'returned', 'stopped', 'interrupted']

class RunState {
  view = $state.raw<RunView | null>(null)
  given = $state.raw<Raw | null>(null)
  /** What changed in the repository since the run was started, while it goes on. */
  changes = $state.raw<RunChanges | null>(null)
  /** What the running agent asks and nobody answered yet. */
  asks = $state.raw<QuestionView[]>([])
  /** A person asked for the document of a handoff that has a run. */
  documentOf = $state<string | null>(null)
  #handle: string | null = null
  #listsAt = 0
  #changesAt = 0
  #busy = false

  constructor() {
    setInterval(() => void this.#tick(), EVERY_MS)
  }

  get moves(): boolean {
    return this.view !== null && moving.includes(this.view.state)
  }

  get waits(): boolean {
    return ['waits', 'unattended'].includes(this.view?.start?.state ?? '')
  }

  /** Whether the open handoff is shown as a run. */
  get shown(): boolean {
    const run = this.view
    if (!run || desk.draft || run.handle !== desk.selected || this.documentOf === run.handle) return false
    return run.number !== null && (moving.includes(run.state) || over.includes(run.state))
  }

  get hasRun(): boolean {
    return this.view !== null && this.view.number !== null && this.view.handle === desk.selected
  }

  async follow(handle: string | null): Promise<void> {
    if (handle === this.#handle) return
    this.#handle = handle
    this.view = this.given = this.changes = null
    this.#changesAt = 0
    this.asks = []
    if (handle) await this.read()
  }

  async read(): Promise<void> {
    const handle = this.#handle
    if (!handle) return
    const run = await call('run', { id: handle }).catch(() => null)
    if (run && handle === this.#handle) await this.#met(run)
  }

  async #met(run: RunView): Promise<void> {
    const before = this.view
    const other = before?.number !== run.number
    this.view = run
    const open = moving.includes(run.state) ? await call('questions', {}).catch(() => []) : []
    const asks = open.filter((one) => one.handle === run.handle)
    if (asks.some((one) => !this.asks.some((old) => old.question === one.question))) desk.status = t.run.asksYou
    this.asks = asks
    if (run.number !== null && (other || !this.given)) {
      const given = await call('given', { id: run.handle }).catch(() => null)
      if (this.view?.number === run.number) this.given = given
    }
    if (desk.detail?.handle === run.handle && desk.detail.state !== run.state) {
      if (before && moving.includes(before.state) && over.includes(run.state)) desk.status = t.run.endedAs(t.state[run.state])
      await desk.refresh()
      await desk.reread(true)
    }
    if (other) await this.#readChanges()
  }

  /** What an outcome does not tell yet: of a run under way, and of one that was interrupted. */
  async #readChanges(): Promise<void> {
    const handle = this.#handle
    if (!handle || !this.view?.watched || this.view.outcome) return
    this.#changesAt = Date.now()
    const changes = await call('run_changes', { id: handle }).catch(() => null)
    if (handle === this.#handle) this.changes = changes
  }

  /** One at a time: a slow engine is asked more seldom, not more. */
  async #tick(): Promise<void> {
    if (this.#busy || desk.view !== 'desk') return
    this.#busy = true
    await this.#look().catch(() => {})
    this.#busy = false
  }

  async #look(): Promise<void> {
    if (this.moves || this.waits || (this.view && desk.detail?.handle === this.view.handle && desk.detail.state !== this.view.state)) await this.read()
    if (this.moves && Date.now() - this.#changesAt > LISTS_MS) await this.#readChanges()
    if ((desk.overview?.running ?? 0) > 0 && Date.now() - this.#listsAt > LISTS_MS) {
      this.#listsAt = Date.now()
      await desk.refresh()
    }
  }

  /** Starts, or says why not. */
  async start(preview: ResumePreview, ack: string[], atReset: boolean): Promise<DeskError | null> {
    try {
      const run = await call('start', { id: preview.handle, profile: preview.profile, command: [], ack, at_reset: atReset, run: preview.run })
      this.documentOf = null
      desk.dialog = null
      this.#handle = run.handle
      await this.#met(run)
      // It leaves the list of what is approved; what a person looks at stays in sight.
      if (this.moves && desk.list === 'approved') await desk.turnTo('running')
      return null
    } catch (error) {
      return isDeskError(error) ? error : null
    }
  }

  async cancelStart(): Promise<void> {
    if (!this.#handle) return
    const run = await desk.guarded(call('start_cancel', { id: this.#handle }))
    if (run) await this.#met(run)
    else await this.read()
  }

  async answer(question: number, allow: boolean): Promise<void> {
    await desk.guarded(call('answer', { question, allow }))
    await this.read()
  }

  /** Asks it to end; asked again, it is ended at once. */
  async stop(): Promise<void> {
    if (!this.moves) return
    await desk.decide('stop')
    await this.read()
  }
}

export const runs = new RunState()
