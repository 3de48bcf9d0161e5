// Several handoffs at once: which are marked, and the one act that is done with all of them and taken back as one.
import { call } from '../ipc/transport'
import type { Row } from '../ipc/bindings/Row'
import type { Rows } from './rows.svelte'

export type Act = 'skip' | 'supersede' | 'archive' | 'unarchive'

export class Marks {
  handles = $state.raw<ReadonlySet<string>>(new Set())
  /** The token of the last act, until it was taken back. */
  last = $state<string | null>(null)
  #rows: Rows
  #anchor: number | null = null
  #before: ReadonlySet<string> = new Set()

  constructor(rows: Rows) {
    this.#rows = rows
  }

  get size(): number {
    return this.handles.size
  }

  has(handle: string): boolean {
    return this.handles.has(handle)
  }

  clear(): void {
    this.handles = new Set()
    this.#anchor = null
  }

  toggle(handle: string): void {
    const handles = new Set(this.handles)
    if (!handles.delete(handle)) handles.add(handle)
    this.handles = handles
    this.#anchor = null
  }

  /** Marks everything between where the run began and a place; going back takes marks away again. */
  async extend(from: number, to: number): Promise<void> {
    if (this.#anchor === null) {
      this.#anchor = from
      this.#before = this.handles
    }
    const [first, last] = [Math.min(this.#anchor, to), Math.max(this.#anchor, to)]
    await this.#rows.show(first, last)
    const between = Array.from({ length: last - first + 1 }, (_, index) => this.#rows.at(first + index)?.handle)
    this.handles = new Set([...this.#before, ...between.filter((handle) => handle !== undefined)])
  }

  /** Marks some rows; when all of them are marked already, none of them. */
  async all(from: number, count: number): Promise<void> {
    const rows = await this.#rows.between(from, count)
    const handles = new Set(this.handles)
    const marked = rows.every((row: Row) => handles.has(row.handle))
    for (const row of rows) {
      if (marked) handles.delete(row.handle)
      else handles.add(row.handle)
    }
    this.handles = handles
    this.#anchor = null
  }

  /** Does it with what is marked, else with the open one. */
  async act(what: Act, open: string | null, alone: boolean) {
    const many = !alone && this.size > 0
    const ids = many ? [...this.handles] : open ? [open] : []
    if (ids.length === 0) return null
    const answer = await call('triage', { as: what, ids })
    if (many) this.clear()
    if (answer.undo) this.last = answer.undo
    return answer
  }

  async takeBack(token: string | null = this.last) {
    if (!token) return null
    const answer = await call('undo', { token })
    if (token === this.last) this.last = null
    return answer
  }
}
