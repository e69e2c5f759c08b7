const UTC = { timeZone: 'UTC' } as const
const long = new Intl.DateTimeFormat('en-US', { ...UTC, dateStyle: 'long' })
const weekday = new Intl.DateTimeFormat('en-US', { ...UTC, weekday: 'long' })
const monthAndDay = new Intl.DateTimeFormat('en-US', { ...UTC, month: 'long', day: 'numeric' })

/**
 * `2026-11-24` → `November 24, 2026`; the same for an ISO timestamp; any other text is unchanged.
 * Read and written in UTC, so that no time zone shifts the day.
 */
export function longDate(text: string): string {
  const time = Date.parse(text)
  return Number.isNaN(time) ? text : long.format(time)
}

/** `2026-11-24` → `Tuesday`; empty if the text is not a date. */
export function weekdayOf(text: string): string {
  const time = Date.parse(text)
  return Number.isNaN(time) ? '' : weekday.format(time)
}

const localDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })
const localTime = new Intl.DateTimeFormat('en-US', {
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
})
const localDay = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric' })
// Swedish dates are written as yyyy-mm-dd.
const localIsoDay = new Intl.DateTimeFormat('sv')

const clock = (time: number): string => localTime.format(time).replaceAll(/\s/g, '\u00a0')

/**
 * `2026-11-15T09:06:00Z` → `November 15, 2026, 4:06 AM EST`: in the reader's own time zone, and says which one.
 * Any other text is unchanged. A line does not break within the time.
 */
export function localDateTime(text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) return text
  return `${localDate.format(time)}, ${clock(time)}`
}

/** `November 15, 2026`, in the reader's own time zone: late in the evening, the date in UTC is that of tomorrow. */
export const localLongDate = (date: Date): string => localDate.format(date)

/** `2026-11-15T09:06:00Z` → `November 15`, in the reader's own time zone. */
export function localMonthDay(text: string): string {
  const time = Date.parse(text)
  return Number.isNaN(time) ? text : localDay.format(time)
}

/** The day in the reader's own time zone, as yyyy-mm-dd. */
export const localDayOf = (time: number): string => localIsoDay.format(time)

/** `2026-12-03` → `December 3`; with the year if it is another than that of `today`. Any other text is unchanged. */
export function shortDate(date: string, today = localDayOf(Date.now())): string {
  if (date.slice(0, 4) !== today.slice(0, 4)) return longDate(date)
  const time = Date.parse(date)
  return Number.isNaN(time) ? date : monthAndDay.format(time)
}

/** The same for a timestamp, in the reader's own time zone. */
export function localShortDate(text: string, now = Date.now()): string {
  const time = Date.parse(text)
  return Number.isNaN(time) ? text : shortDate(localDayOf(time), localDayOf(now))
}

/** `Today, 9:12 AM EST`, `Yesterday`, or the date of an earlier day, in the reader's own time zone. */
export function recentTime(text: string, now = Date.now()): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) return text
  const day = localDayOf(time)
  if (day === localDayOf(now)) return `Today, ${clock(time)}`
  return day === dayBefore(localDayOf(now)) ? 'Yesterday' : localShortDate(text, now)
}

/** `9:12 AM EST` on the same day, otherwise `November 15, 9:12 AM EST`, in the reader's own time zone. */
export function clockTimeOf(text: string, now = Date.now()): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) return text
  const sameDay = localDayOf(time) === localDayOf(now)
  return sameDay ? clock(time) : `${localShortDate(text, now)}, ${clock(time)}`
}

const DAY_MS = 86_400_000
const dayBefore = (day: string): string =>
  new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10)
