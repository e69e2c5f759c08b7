const UTC = { timeZone: 'UTC' } as const
const long = new Intl.DateTimeFormat('en-US', { ...UTC, dateStyle: 'long' })
const weekday = new Intl.DateTimeFormat('en-US', { ...UTC, weekday: 'long' })

/**
 * `2026-11-24` → `November 24, 2026`, and so for a moment in ISO format; anything else as it was given.
 * Read and written in UTC, so that no zone shifts the day.
 */
export function longDate(text: string): string {
  const time = Date.parse(text)
  return Number.isNaN(time) ? text : long.format(time)
}

/** `2026-11-24` → `Tuesday`; empty where the text is no date. */
export function weekdayOf(text: string): string {
  const time = Date.parse(text)
  return Number.isNaN(time) ? '' : weekday.format(time)
}
