// Times for people.
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long ago, in one short word pair; a date without a time of day stays a date. */
export function ago(at: string | null, now: number): string {
  if (!at) return ''
  if (/^\d{4}-\d{2}-\d{2}$/.test(at)) return at
  const time = Date.parse(at)
  if (Number.isNaN(time)) return at
  // Clocks that are a moment apart are no future.
  const past = now - time > -minute ? Math.max(0, now - time) : now - time
  if (past < 0) return at.slice(0, 10)
  if (past < minute) return 'now'
  if (past < hour) return `${Math.floor(past / minute)} min`
  if (past < day) return `${Math.floor(past / hour)} h`
  if (past < 60 * day) return `${Math.floor(past / day)} d`
  return at.slice(0, 10)
}

/** The time of day when it is today, else the date. */
export function clock(at: string | null, now: number): string {
  if (!at) return ''
  const time = new Date(at)
  if (Number.isNaN(time.getTime()) || /^\d{4}-\d{2}-\d{2}$/.test(at)) return at
  const sameDay = new Date(now).toDateString() === time.toDateString()
  return sameDay ? `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}` : at.slice(0, 10)
}
