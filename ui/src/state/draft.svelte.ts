// An edit that is not saved yet: what changed, as edits in the grammar of the command line.
import { call, isDeskError, type DeskError } from '../ipc/transport'
import type { Conflict } from '../ipc/bindings/Conflict'
import type { Detail } from '../ipc/bindings/Detail'
import type { Diff } from '../ipc/bindings/Diff'

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

export class Draft {
  base: string
  objectiveBefore: string
  objective = $state('')
  lists = $state<Record<Field, DraftItem[]>>({} as Record<Field, DraftItem[]>)
  diff = $state.raw<Diff | null>(null)
  widened = $state<string[]>([])
  conflict = $state.raw<Conflict | null>(null)
  problem = $state<DeskError | null>(null)
  asking = $state(false)

  constructor(detail: Detail) {
    this.base = detail.rev
    this.objectiveBefore = detail.objective ?? ''
    this.objective = this.objectiveBefore
    for (const field of fields) {
      this.lists[field] = itemsOf(detail, field).map((item, index) => ({
        key: ++keys, index, text: item.text, before: item.text, part: item.part, partBefore: item.part, removed: false,
      }))
    }
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
    }
    return edits
  }

  get dirty(): boolean {
    return this.edits.length > 0
  }

  add(field: Field): number {
    const item = { key: ++keys, index: null, text: '', before: '', part: '', partBefore: '', removed: false }
    this.lists[field] = [...this.lists[field], item]
    return item.key
  }

  remove(field: Field, item: DraftItem): void {
    if (item.index === null) this.lists[field] = this.lists[field].filter((other) => other.key !== item.key)
    else item.removed = !item.removed
  }

  /** To the other list of the boundary: what was done alone needs a person, and the other way round. */
  moveTo(from: Field, to: Field, item: DraftItem): void {
    const text = item.text
    this.remove(from, item)
    this.lists[to] = [...this.lists[to], { key: ++keys, index: null, text, before: '', part: '', partBefore: '', removed: false }]
  }

  /** Tries the edits out: the difference, and where the model would be allowed more. */
  async tryOut(id: string): Promise<void> {
    this.problem = null
    if (!this.dirty) {
      this.diff = null
      this.widened = []
      return
    }
    try {
      const preview = await call('edit_preview', { id, base: this.base, edits: this.edits })
      this.diff = preview.diff
      this.widened = preview.widened
      if (preview.conflict) this.conflict = preview.conflict
    } catch (error) {
      if (isDeskError(error)) this.refused(error)
    }
  }

  refused(error: DeskError): void {
    const details = error.details as { conflict?: Conflict } | null
    if (error.code === 'changed' && details?.conflict) this.conflict = details.conflict
    else this.problem = error
  }

  /** Somebody else saved the file while this draft was open. */
  async met(id: string): Promise<void> {
    try {
      const preview = await call('edit_preview', { id, base: this.base, edits: this.edits })
      this.conflict = preview.conflict
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
          : { key: ++keys, index, text: item.text, before: item.text, part: item.part, partBefore: item.part, removed: false }
      })
      this.lists[field] = [...kept, ...mine.filter((item) => item.index === null)]
    }
    this.conflict = null
  }
}
