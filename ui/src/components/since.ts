// How the handoff before is called where something is said to be new or gone since.
import type { Since } from '../ipc/bindings/Since'
import { desk } from '../state/desk.svelte'
import { clock } from '../state/time'

/** Its time where one is known, else its handle; an entry or a revision without a time is known by its hash. */
export function sinceWhen(since: Since | null): string {
  const before = since?.predecessor
  if (!before) return ''
  if (before.at) return clock(before.at, desk.now)
  return before.how === 'revision' ? before.rev.slice(0, 8) : before.handle
}
