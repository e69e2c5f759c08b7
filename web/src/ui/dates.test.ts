import { afterEach, expect, it, vi } from 'vitest'
import { localDateTime, localMonthDay, longDate, weekdayOf } from './dates.ts'

afterEach(() => vi.unstubAllEnvs())

const ZONES = ['Pacific/Honolulu', 'America/Los_Angeles', 'UTC', 'Asia/Tokyo', 'Pacific/Kiritimati']

it.each(ZONES)('writes the UTC date in long US format, also in the time zone %s', async (zone) => {
  vi.stubEnv('TZ', zone)
  // Import it in the zone: a format takes its time zone when it is created.
  vi.resetModules()
  const dates = await import('./dates.ts')
  expect(dates.longDate('2026-11-24')).toBe('November 24, 2026')
  expect(dates.longDate('2026-01-01')).toBe('January 1, 2026')
  expect(dates.longDate('2026-11-03T23:59:00.000Z')).toBe('November 3, 2026')
  expect(dates.weekdayOf('2026-11-24')).toBe('Tuesday')
})

it('is tested in time zones that do shift a date', () => {
  const shown = ZONES.map((zone) => {
    vi.stubEnv('TZ', zone)
    return new Date('2026-11-24').getDate()
  })
  expect(new Set(shown)).toEqual(new Set([23, 24]))
})

it.each(['', 'soon', '2026-13-40'])('leaves %j unchanged', (text) => {
  expect(longDate(text)).toBe(text)
  expect(weekdayOf(text)).toBe('')
})

it.each([
  ['Pacific/Honolulu', 'November 14, 2026, 11:06 PM HST', 'November 14'],
  ['America/New_York', 'November 15, 2026, 4:06 AM EST', 'November 15'],
  ['UTC', 'November 15, 2026, 9:06 AM UTC', 'November 15'],
])(
  "writes a moment in the reader's own time zone, with the zone's name: %s",
  async (zone, full, day) => {
    vi.stubEnv('TZ', zone)
    vi.resetModules()
    const dates = await import('./dates.ts')
    const moment = '2026-11-15T09:06:00.000Z'
    expect(dates.localDateTime(moment).replaceAll('\u00a0', ' ')).toBe(full)
    expect(dates.localMonthDay(moment)).toBe(day)
  },
)

it('leaves a text that is not a moment unchanged', () => {
  expect(localDateTime('soon')).toBe('soon')
  expect(localMonthDay('soon')).toBe('soon')
})
