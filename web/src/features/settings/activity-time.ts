import { longDate } from '../../ui/dates.ts'

const time = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', timeStyle: 'short' })

/** `November 12, 2026, 3:42 PM UTC`, with the time zone because the veteran's own differs. */
export function activityTime(at: string): string {
  const date = longDate(at)
  return date === at ? at : `${date}, ${time.format(Date.parse(at))} UTC`
}
