import { expect, it, vi } from 'vitest'
import {
  clockTimeOf,
  localDateTime,
  localMonthDay,
  localShortDate,
  longDate,
  recentTime,
  shortDate,
  weekdayOf,
} from './dates.ts'

const ZONES = ['Pacific/Honolulu', 'America/Los_Angeles', 'UTC', 'Asia/Tokyo', 'Pacific/Kiritimati']

it.each(ZONES)('writes the UTC date in long US format, also in the time zone %s', (zone) => {
  vi.stubEnv('TZ', zone)
  expect(longDate('2026-11-24')).toBe('November 24, 2026')
  expect(longDate('2026-01-01')).toBe('January 1, 2026')
  expect(longDate('2026-11-03T23:59:00.000Z')).toBe('November 3, 2026')
  expect(weekdayOf('2026-11-24')).toBe('Tuesday')
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
])("writes a moment in the reader's own time zone, with the zone's name: %s", (zone, full, day) => {
  vi.stubEnv('TZ', zone)
  const moment = '2026-11-15T09:06:00.000Z'
  expect(localDateTime(moment).replaceAll('\u00a0', ' ')).toBe(full)
  expect(localMonthDay(moment)).toBe(day)
})

it.each([
  'America/Puerto_Rico',
  'America/Halifax',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
  'Pacific/Guam',
  'Europe/Berlin',
  'Asia/Kolkata',
  'UTC',
])('writes times as Intl.DateTimeFormat does, in winter and summer: %s', (zone) => {
  vi.stubEnv('TZ', zone)
  const format = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  for (let hour = 0; hour < 24; hour += 1) {
    for (const month of [0, 6]) {
      const date = new Date(2026, month, 15, hour, 6)
      const text = localDateTime(date.toISOString()).replaceAll('\u00a0', ' ')
      expect(text).toBe(format.format(date).replaceAll('\u202f', ' ').replace(' at ', ', '))
    }
  }
})

it('leaves a text that is not a moment unchanged', () => {
  expect(localDateTime('soon')).toBe('soon')
  expect(localMonthDay('soon')).toBe('soon')
})

it('writes the year of a date only if it is not the current one', () => {
  expect(shortDate('2026-12-03', '2026-11-16')).toBe('December 3')
  expect(shortDate('2027-01-03', '2026-11-16')).toBe('January 3, 2027')
  expect(shortDate('soon', '2026-11-16')).toBe('soon')
})

const NOW = new Date(2026, 10, 16, 9, 12).getTime()
const local = (day: number, hour: number, month = 10, year = 2026) =>
  new Date(year, month, day, hour, 5).toISOString()

it.each([
  [local(16, 0), /^Today, 12:05\sAM\s\S+$/],
  [local(15, 23), /^Yesterday$/],
  [local(14, 23), /^November 14$/],
  [local(31, 23, 11, 2025), /^December 31, 2025$/],
  ['soon', /^soon$/],
])('writes a recent time as people say it: %s', (text, words) => {
  expect(recentTime(text, NOW)).toMatch(words)
})

it('writes only the time of a moment today, and also the date of an earlier one', () => {
  expect(clockTimeOf(local(16, 8), NOW)).toMatch(/^8:05\sAM\s\S+$/)
  expect(clockTimeOf(local(15, 8), NOW)).toMatch(/^November 15, 8:05\sAM\s\S+$/)
  expect(localShortDate(local(15, 8), NOW)).toBe('November 15')
  expect([clockTimeOf('soon'), localShortDate('soon')]).toEqual(['soon', 'soon'])
})
