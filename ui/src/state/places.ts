// Where in a document something stands: from a byte range of the file to the entry that a person can edit.
import type { Detail } from '../ipc/bindings/Detail'
import type { Finding } from '../ipc/bindings/Finding'
import type { Span } from '../ipc/bindings/Span'
import { fields, type Field } from './draft.svelte'

export interface EditPlace {
  field: Field
  index: number | null
}

function spansOf(detail: Detail, field: Field): (Span | null)[] {
  switch (field) {
    case 'safety.may': return detail.safety.may.map((item) => item.span)
    case 'safety.ask': return detail.safety.ask.map((item) => item.span)
    case 'safety.never': return detail.safety.never.map((item) => item.span)
    default: return detail[field].map((item) => item.span)
  }
}

const missing: Record<string, Field> = { 'no-next': 'next', 'no-safety': 'safety.ask' }

/** The entry that a finding is about, when there is one. */
export function placeOf(detail: Detail, finding: Finding): EditPlace | null {
  const span = finding.span
  if (span) {
    for (const field of fields) {
      const index = spansOf(detail, field).findIndex((own) => own && own[0] <= span[0] && span[0] < Math.max(own[1], own[0] + 1))
      if (index >= 0) return { field, index }
    }
  }
  const field = missing[finding.code]
  return field ? { field, index: null } : null
}

/** Puts the focus into an entry that is being edited, or into the list when none is named. */
export function focusEntry(field: Field, key: number | null): void {
  const own = key === null ? `[data-add="${field}"]` : `[data-item="${key}"]`
  const element = document.querySelector<HTMLElement>(own)
  element?.focus()
  element?.scrollIntoView({ block: 'center' })
}
