// Names instead of `Intl.DateTimeFormat`, whose first use on a page blocks an old phone for about 0.1 s.
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const
const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

const twoDigits = (value: number): string => String(value).padStart(2, '0')
const utcMonthDay = (date: Date): string => `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}`
const monthDay = (date: Date): string => `${MONTHS[date.getMonth()]} ${date.getDate()}`

/**
 * `2026-11-24` → `November 24, 2026`; the same for an ISO timestamp; any other text is unchanged.
 * Read and written in UTC, so that no time zone shifts the day.
 */
export function longDate(text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) return text
  const date = new Date(time)
  return `${utcMonthDay(date)}, ${date.getUTCFullYear()}`
}

/** `2026-11-24` → `Tuesday`; empty if the text is not a date. */
export function weekdayOf(text: string): string {
  return WEEKDAYS[new Date(text).getUTCDay()] ?? ''
}

/** `9:12 AM`, in the reader's own time zone. */
export function localTime(date: Date): string {
  const hours = date.getHours()
  return `${hours % 12 || 12}:${twoDigits(date.getMinutes())} ${hours < 12 ? 'AM' : 'PM'}`
}

/** Abbreviations of the English zone names that `Date.toString()` writes. */
const ZONES: Readonly<Record<string, string>> = {
  'Coordinated Universal Time': 'UTC',
  'Atlantic Standard Time': 'AST',
  'Atlantic Daylight Time': 'ADT',
  'Eastern Standard Time': 'EST',
  'Eastern Daylight Time': 'EDT',
  'Central Standard Time': 'CST',
  'Central Daylight Time': 'CDT',
  'Mountain Standard Time': 'MST',
  'Mountain Daylight Time': 'MDT',
  'Pacific Standard Time': 'PST',
  'Pacific Daylight Time': 'PDT',
  'Alaska Standard Time': 'AKST',
  'Alaska Daylight Time': 'AKDT',
  'Hawaii-Aleutian Standard Time': 'HST',
  'Hawaii-Aleutian Daylight Time': 'HDT',
}

/** The name of the reader's own time zone on that day, such as `EST`. */
function zoneOn(date: Date): string {
  const [, name = ''] = /\((.*)\)$/.exec(date.toString()) ?? []
  if (ZONES[name]) return ZONES[name]
  const parts = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' }).formatToParts(date)
  return parts.find(({ type }) => type === 'timeZoneName')!.value
}

/** `9:12 AM EST`, in the reader's own time zone. */
function clock(time: number): string {
  const date = new Date(time)
  return `${localTime(date)} ${zoneOn(date)}`.replaceAll(' ', '\u00a0')
}

/**
 * `2026-11-15T09:06:00Z` → `November 15, 2026, 4:06 AM EST`: in the reader's own time zone, and says which one.
 * Any other text is unchanged. A line does not break within the time.
 */
export function localDateTime(text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) return text
  return `${localLongDate(new Date(time))}, ${clock(time)}`
}

/** `November 15, 2026`, in the reader's own time zone: late in the evening, the date in UTC is that of tomorrow. */
export const localLongDate = (date: Date): string => `${monthDay(date)}, ${date.getFullYear()}`

/** `2026-11-15T09:06:00Z` → `November 15`, in the reader's own time zone. */
export function localMonthDay(text: string): string {
  const time = Date.parse(text)
  return Number.isNaN(time) ? text : monthDay(new Date(time))
}

/** The day in the reader's own time zone, as yyyy-mm-dd. */
export function localDayOf(time: number): string {
  const date = new Date(time)
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

/** `2026-12-03` → `December 3`; with the year if it is another than that of `today`. Any other text is unchanged. */
export function shortDate(date: string, today = localDayOf(Date.now())): string {
  if (date.slice(0, 4) !== today.slice(0, 4)) return longDate(date)
  const time = Date.parse(date)
  return Number.isNaN(time) ? date : utcMonthDay(new Date(time))
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
