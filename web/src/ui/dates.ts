const UTC = { timeZone: 'UTC' } as const
const long = new Intl.DateTimeFormat('en-US', { ...UTC, dateStyle: 'long' })
const weekday = new Intl.DateTimeFormat('en-US', { ...UTC, weekday: 'long' })

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

/**
 * `2026-11-15T09:06:00Z` → `November 15, 2026, 4:06 AM EST`: in the reader's own time zone, and says which one.
 * Any other text is unchanged. A line does not break within the time.
 */
export function localDateTime(text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) return text
  return `${localDate.format(time)}, ${localTime.format(time).replaceAll(/\s/g, '\u00a0')}`
}

/** `November 15, 2026`, in the reader's own time zone: late in the evening, the date in UTC is that of tomorrow. */
export const localLongDate = (date: Date): string => localDate.format(date)

/** `2026-11-15T09:06:00Z` → `November 15`, in the reader's own time zone. */
export function localMonthDay(text: string): string {
  const time = Date.parse(text)
  return Number.isNaN(time) ? text : localDay.format(time)
}
