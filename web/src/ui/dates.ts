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
