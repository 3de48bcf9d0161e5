// Times for people.
import { t } from '../text/index.svelte'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const dateOnly = /^\d{4}-\d{2}-\d{2}$/

/** How long ago, in one short word pair; a date without a time of day stays a date. */
export function ago(at: string | null, now: number): string {
  if (!at) return ''
  if (dateOnly.test(at)) return at
  const time = Date.parse(at)
  if (Number.isNaN(time)) return at
  // Clocks that are a moment apart are no future.
  const past = now - time > -minute ? Math.max(0, now - time) : now - time
  if (past < 0) return at.slice(0, 10)
  if (past < minute) return t.now
  if (past < hour) return t.minutes(Math.floor(past / minute))
  if (past < day) return t.hours(Math.floor(past / hour))
  if (past < 60 * day) return t.days(Math.floor(past / day))
  return at.slice(0, 10)
}

/** The time of day when it is today, else the date. */
export function clock(at: string | null, now: number): string {
  if (!at) return ''
  const time = new Date(at)
  if (Number.isNaN(time.getTime()) || dateOnly.test(at)) return at
  const sameDay = new Date(now).toDateString() === time.toDateString()
  return sameDay ? `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}` : at.slice(0, 10)
}

/** The time of day with seconds. */
export function clockSeconds(at: string): string {
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) return ''
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Seconds in the two largest units. */
export function short(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  if (hours) return `${t.hours(hours)} ${t.minutes(minutes)}`
  return minutes ? `${t.minutes(minutes)} ${t.seconds(seconds % 60)}` : t.seconds(seconds)
}

/** How long something takes or took. */
export function elapsed(from: string | null, to: string | null, now: number): string {
  const [begin, end] = [from ? Date.parse(from) : Number.NaN, to ? Date.parse(to) : now]
  return Number.isNaN(begin) || Number.isNaN(end) ? '' : short(Math.max(0, Math.round((end - begin) / 1000)))
}

/** Minutes until a time, rounded up; 0 when it is over, null when it is no time. */
export function minutesUntil(at: string | null, now: number): number | null {
  const time = at ? Date.parse(at) : Number.NaN
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - now) / minute))
}

/** When a limit resets, as it is now: counted down, or over; a text that is no time stays as written. */
export function resets(at: string | null, now: number): string {
  const minutes = minutesUntil(at, now)
  if (!at) return ''
  if (minutes === null) return at
  return minutes > 0 ? t.resetsIn(minutes) : t.resetOver
}
