// An edit that is not saved yet: what changed, as edits in the grammar of the command line.
import { call, isDeskError, type DeskError } from '../ipc/transport'
import type { Conflict } from '../ipc/bindings/Conflict'
import type { Detail } from '../ipc/bindings/Detail'
import type { Diff } from '../ipc/bindings/Diff'
import type { EditPreview } from '../ipc/bindings/EditPreview'

export type Field =
  | 'safety.may' | 'safety.ask' | 'safety.never' | 'next' | 'done' | 'facts' | 'unverified' | 'hazards'
  | 'decisions' | 'rejected' | 'open' | 'constraints' | 'artifacts'

export interface DraftItem {
  key: number
  /** Its place in the document; null for a new one. */
  index: number | null
  text: string
  before: string
  part: string
  partBefore: string
  removed: boolean
  /** The boundary list that it came from. */
  from: Field | null
}

export const partOf: Partial<Record<Field, 'why' | 'evidence'>> = { decisions: 'why', rejected: 'why', facts: 'evidence' }

function itemsOf(detail: Detail, field: Field): { text: string; part: string }[] {
  switch (field) {
    case 'safety.may': return detail.safety.may.map((item) => ({ text: item.text, part: '' }))
    case 'safety.ask': return detail.safety.ask.map((item) => ({ text: item.text, part: '' }))
    case 'safety.never': return detail.safety.never.map((item) => ({ text: item.text, part: '' }))
    case 'decisions': return detail.decisions.map((item) => ({ text: item.what, part: item.why ?? '' }))
    case 'rejected': return detail.rejected.map((item) => ({ text: item.what, part: item.why ?? '' }))
    case 'artifacts': return detail.artifacts.map((item) => ({ text: item.ref, part: '' }))
    case 'facts': return detail.facts.map((item) => ({ text: item.text, part: item.evidence ?? '' }))
    default: return detail[field].map((item) => ({ text: item.text, part: '' }))
  }
}

export const fields: Field[] = [
  'safety.may', 'safety.ask', 'safety.never', 'next', 'facts', 'unverified', 'decisions', 'rejected', 'open', 'constraints', 'hazards', 'done', 'artifacts',
]

let keys = 0
const made = (text: string, from: Field | null = null): DraftItem => ({
  key: ++keys, index: null, text, before: '', part: '', partBefore: '', removed: false, from,
})
const read = (item: { text: string; part: string }, index: number): DraftItem => ({
  key: ++keys, index, text: item.text, before: item.text, part: item.part, partBefore: item.part, removed: false, from: null,
})

export class Draft {
  base: string
  objectiveBefore: string
  objective = $state('')
  lists = $state<Record<Field, DraftItem[]>>({} as Record<Field, DraftItem[]>)
  diff = $state.raw<Diff | null>(null)
  widened = $state<string[]>([])
  /** Why saving makes a canonical copy, or null when it changes the file itself. */
  copyBecause = $state<string | null>(null)
  conflict = $state.raw<Conflict | null>(null)
  problem = $state<DeskError | null>(null)
  asking = $state(false)
  /** An entry that a person wants to move where the model may do more, until they answer. */
  moving = $state<{ from: Field; to: Field; item: DraftItem } | null>(null)
  #agreed = false

  constructor(detail: Detail) {
    this.base = detail.rev
    this.objectiveBefore = detail.objective ?? ''
    this.objective = this.objectiveBefore
    for (const field of fields) this.lists[field] = itemsOf(detail, field).map(read)
  }

  get edits(): string[] {
    const edits: string[] = []
    if (this.objective !== this.objectiveBefore) edits.push(`objective=${this.objective}`)
    for (const field of fields) {
      for (const item of this.lists[field]) {
        if (item.index === null) {
          if (item.text.trim() && !item.removed) edits.push(`${field}+=${item.text}`)
        } else if (item.removed) {
          edits.push(`${field}/${item.index}-=`)
        } else {
          if (item.text !== item.before && item.text.trim()) edits.push(`${field}/${item.index}=${item.text}`)
          const part = partOf[field]
          if (part && item.part !== item.partBefore && item.text === item.before) edits.push(`${field}/${item.index}.${part}=${item.part}`)
        }
      }
      edits.push(...this.#moves(field))
    }
    return edits
  }

  /** The moves that bring a list into the order in which it is shown; new entries stand at its end before. */
  #moves(field: Field): string[] {
    const shown = this.lists[field].filter((item) => item.index !== null || (item.text.trim() && !item.removed))
    let next = shown.filter((item) => item.index !== null).length
    const wanted = shown.map((item) => item.index ?? next++)
    const order = wanted.toSorted((one, other) => one - other)
    const moves: string[] = []
    wanted.forEach((item, to) => {
      const from = order.indexOf(item)
      if (from === to) return
      order.splice(from, 1)
      order.splice(to, 0, item)
      moves.push(`${field}/${from}>${to}`)
    })
    return moves
  }

  get dirty(): boolean {
    return this.edits.length > 0
  }

  add(field: Field, after?: DraftItem): number {
    const item = made('')
    const at = after ? this.lists[field].indexOf(after) + 1 : this.lists[field].length
    this.lists[field] = this.lists[field].toSpliced(at, 0, item)
    return item.key
  }

  remove(field: Field, item: DraftItem): void {
    if (item.index === null) this.lists[field] = this.lists[field].filter((other) => other.key !== item.key)
    else item.removed = !item.removed
  }

  /** One place up or down; the new place, from 1, or null at an end. */
  step(field: Field, item: DraftItem, by: 1 | -1): number | null {
    const list = this.lists[field]
    const at = list.findIndex((other) => other.key === item.key)
    const to = at + by
    if (at < 0 || to < 0 || to >= list.length) return null
    this.lists[field] = list.toSpliced(at, 1).toSpliced(to, 0, item)
    return to + 1
  }

  /** Where the list shows another order than the file. */
  isMoved(field: Field, item: DraftItem): boolean {
    const kept = this.lists[field].filter((other) => other.index !== null)
    return item.index !== null && kept.indexOf(item) !== item.index
  }

  /** To the other list of the boundary. What lets the model do more is asked about, once a draft. */
  moveTo(from: Field, to: Field, item: DraftItem): number | null {
    if (to === 'safety.may' && !this.#agreed && item.from !== 'safety.may') {
      this.moving = { from, to, item }
      return null
    }
    return this.#move(from, to, item)
  }

  agree(): number | null {
    const { moving } = this
    this.moving = null
    this.#agreed = true
    return moving ? this.#move(moving.from, moving.to, moving.item) : null
  }

  #move(from: Field, to: Field, item: DraftItem): number {
    this.remove(from, item)
    // Back where it came from: the entry that was struck through is as it was.
    const own = this.lists[to].find((other) => other.removed && other.text === item.text)
    if (own) {
      own.removed = false
      return own.key
    }
    const moved = made(item.text, from)
    this.lists[to] = [...this.lists[to], moved]
    return moved.key
  }

  /** Whether saving has to ask first. */
  get mustAsk(): boolean {
    return this.widened.length > 0 && !this.#agreed
  }

  /** Tries the edits out: the difference, and where the model would be allowed more. */
  async tryOut(id: string): Promise<void> {
    this.problem = null
    if (!this.dirty) {
      this.diff = null
      this.widened = []
      this.copyBecause = null
      return
    }
    try {
      const preview = await call('edit_preview', { id, base: this.base, edits: this.edits })
      this.#show(preview)
    } catch (error) {
      if (isDeskError(error)) this.refused(error)
    }
  }

  #show(preview: EditPreview): void {
    this.diff = preview.diff
    this.widened = preview.widened
    this.copyBecause = preview.copy_because
    if (preview.conflict) this.conflict = preview.conflict
  }

  /** The entry that stands at a place of the document. */
  at(field: Field, index: number): DraftItem | undefined {
    return this.lists[field].find((item) => item.index === index)
  }

  refused(error: DeskError): void {
    const details = error.details as { conflict?: Conflict } | null
    if (error.code === 'changed' && details?.conflict) this.conflict = details.conflict
    else this.problem = error
  }

  /** Somebody else saved the file while this draft was open. */
  async met(id: string): Promise<void> {
    try {
      this.#show(await call('edit_preview', { id, base: this.base, edits: this.edits }))
    } catch (error) {
      if (isDeskError(error)) this.refused(error)
    }
  }

  /** Keeps the edits and puts them on what is on disk now. Items are found again by their text. */
  rebase(detail: Detail): void {
    this.base = detail.rev
    this.objectiveBefore = detail.objective ?? ''
    for (const field of fields) {
      const now = itemsOf(detail, field)
      const mine = this.lists[field]
      const kept = now.map((item, index) => {
        const own = mine.find((other) => other.index !== null && other.before === item.text)
        return own
          ? { ...own, index, partBefore: item.part }
          : read(item, index)
      })
      this.lists[field] = [...kept, ...mine.filter((item) => item.index === null)]
    }
    this.conflict = null
  }
}
