import { afterEach, expect, it, vi } from 'vitest'
import { clinicOf, clockTime, dayBadge } from './appointment-texts.ts'

afterEach(() => vi.unstubAllEnvs())

it.each([
  ['00:00', '12:00 AM'],
  ['00:30', '12:30 AM'],
  ['09:05', '9:05 AM'],
  ['11:59', '11:59 AM'],
  ['12:00', '12:00 PM'],
  ['14:30', '2:30 PM'],
  ['23:59', '11:59 PM'],
])('writes %s in 12-hour format: %s', (given, shown) => {
  expect(clockTime(given)).toBe(shown)
})

it.each(['', '24:00', '9:30', 'noon', '14:60'])('leaves %j unchanged', (text) => {
  expect(clockTime(text)).toBe(text)
})

it.each(['Pacific/Honolulu', 'UTC', 'Pacific/Kiritimati'])(
  'shows the day of the week and of the month on the badge, the same in %s',
  (zone) => {
    vi.stubEnv('TZ', zone)
    expect(dayBadge('2026-11-24')).toEqual({ day: 'Tue', date: '24' })
    expect(dayBadge('2027-01-01')).toEqual({ day: 'Fri', date: '1' })
  },
)

it('has no badge without a date', () => {
  expect(dayBadge('')).toBeUndefined()
})

it('names an appointment without a known clinic', () => {
  expect(clinicOf({ clinicName: 'Harbor Orthopedic Clinic' })).toBe('Harbor Orthopedic Clinic')
  expect(clinicOf({ clinicName: ' ' })).toBe('Appointment')
  expect(clinicOf({ clinicName: null })).toBe('Appointment')
})
