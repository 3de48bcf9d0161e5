// The rows of the list in pages: only those near the part that is seen are asked for.
import type { Group } from '../ipc/bindings/Group'
import type { ListParams } from '../ipc/bindings/ListParams'
import type { Row } from '../ipc/bindings/Row'
import { call } from '../ipc/transport'

const PAGE = 200

export class Rows {
  total = $state(0)
  /** Whether a first answer is there: before it, no rows does not mean none. */
  read = $state(false)
  /** The groups of all rows, in order; none in a list without them. */
  groups = $state.raw<Group[]>([])
  #rows = $state.raw<(Row | undefined)[]>([])
  #query: ListParams = { list: 'inbox' }
  #turn = 0
  /** Pages that were asked for, by their first place. */
  #asked = new Map<number, Promise<void>>()
  #seen: [number, number] = [0, 0]

  at(index: number): Row | undefined {
    return this.#rows[index]
  }

  /** The row's place, when its page is there. */
  indexOf(handle: string | null): number {
    return handle === null ? -1 : this.#rows.findIndex((row) => row?.handle === handle)
  }

  /** Reads the pages that are seen anew; what is drawn stays until they are there. */
  async load(query: ListParams): Promise<void> {
    const other = JSON.stringify(query) !== JSON.stringify(this.#query)
    this.#query = query
    if (other) this.#seen = [0, 0]
    const turn = ++this.#turn
    const from = Math.floor(this.#seen[0] / PAGE) * PAGE
    const limit = Math.max(PAGE, Math.ceil((this.#seen[1] + 1 - from) / PAGE) * PAGE)
    const page = await call('handoffs', { ...query, offset: from, limit })
    if (turn !== this.#turn) return
    this.#asked = new Map()
    for (let at = from; at < from + limit; at += PAGE) this.#asked.set(at, Promise.resolve())
    const rows = new Array<Row | undefined>(page.total)
    page.rows.forEach((row, index) => (rows[from + index] = row))
    this.#rows = rows
    this.total = page.total
    this.read = true
    this.groups = page.groups
    void this.verdicts()
  }

  /** The list shows these places: asks for what is missing. */
  async show(from: number, to: number): Promise<void> {
    this.#seen = [from, to]
    const turn = this.#turn
    const pages: Promise<void>[] = []
    for (let at = Math.floor(Math.max(0, from - PAGE / 4) / PAGE) * PAGE; at <= to + PAGE / 4 && at < this.total; at += PAGE) pages.push(this.#page(at))
    await Promise.all(pages)
    if (turn === this.#turn) await this.verdicts()
  }

  /** Asks for a page once; who comes while it is on its way waits for the same answer. */
  #page(at: number): Promise<void> {
    const asked = this.#asked.get(at) ?? this.#ask(at)
    this.#asked.set(at, asked)
    return asked
  }

  async #ask(at: number): Promise<void> {
    const turn = this.#turn
    const page = await call('handoffs', { ...this.#query, offset: at, limit: PAGE }).catch(() => null)
    if (turn !== this.#turn) return
    if (!page) this.#asked.delete(at)
    else this.#put((rows) => page.rows.forEach((row, index) => (rows[at + index] = row)))
  }

  /** These rows, read for this question alone. */
  async between(from: number, count: number): Promise<Row[]> {
    return (await call('handoffs', { ...this.#query, offset: from, limit: count })).rows
  }

  /** The group that holds a place. */
  groupOf(index: number): Group | undefined {
    return this.groups.find((group) => index >= group.start && index < group.start + group.count)
  }

  /** Makes sure that a place is read, so that a key can go there. */
  async reach(index: number): Promise<Row | undefined> {
    if (!this.#rows[index] && index >= 0) await this.#page(Math.floor(index / PAGE) * PAGE)
    return this.#rows[index]
  }

  /** Another state of a row that is in the list. */
  replace(row: Row): void {
    const at = this.indexOf(row.handle)
    if (at < 0) return
    this.#put((rows) => (rows[at] = { ...row, verdict: row.verdict ?? rows[at]?.verdict ?? null, ahead: row.ahead ?? rows[at]?.ahead ?? null }))
  }

  #put(change: (rows: (Row | undefined)[]) => void): void {
    const rows = this.#rows.slice()
    change(rows)
    this.#rows = rows
  }

  /** Glances at the repositories of the rows that are seen. */
  async verdicts(): Promise<void> {
    const turn = this.#turn
    const [from, to] = this.#seen
    const missing = this.#rows.slice(from, Math.max(to, from + 20) + 1).filter((row) => row?.verdict === null)
    if (missing.length === 0) return
    const found = await call('verdicts', { handles: missing.slice(0, 40).map((row) => row?.handle ?? '') }).catch(() => [])
    if (turn !== this.#turn || found.length === 0) return
    const known = new Map(found.map((one) => [one.handle, one]))
    this.#put((rows) => {
      rows.forEach((row, index) => {
        const one = row && known.get(row.handle)
        if (row && one) rows[index] = { ...row, verdict: one.verdict, ahead: one.ahead }
      })
    })
  }
}
