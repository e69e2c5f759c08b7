import { afterEach, expect, it, vi } from 'vitest'
import { calendarFile, calendarFileName } from './calendar-file.ts'

const appointment = {
  id: 'a0X5g00000AbCdE',
  appointmentDateText: '2026-11-24',
  appointmentTimeText: '09:30',
  clinicName: 'Harbor Orthopedic Clinic',
  clinicPhone: '6195550121',
}
const madeAt = new Date('2026-11-02T17:04:05.678Z')
const lineOf = (name: string, changes: Partial<typeof appointment> = {}) =>
  calendarFile({ ...appointment, ...changes }, madeAt)
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .find((line) => line.startsWith(`${name}:`))

afterEach(() => vi.unstubAllEnvs())

it('is one event of the calendar, each line ended by CRLF', () => {
  expect(calendarFile(appointment, madeAt)).toBe(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Guidon//Portal//EN',
      'BEGIN:VEVENT',
      'UID:guidon-appointment-a0X5g00000AbCdE',
      'DTSTAMP:20261102T170405Z',
      'DTSTART:20261124T093000',
      'SUMMARY:Appointment at Harbor Orthopedic Clinic',
      'LOCATION:Harbor Orthopedic Clinic',
      'DESCRIPTION:Clinic phone: (619) 555-0121',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  )
})

it.each(['Pacific/Honolulu', 'Asia/Tokyo'])(
  'has the local time of the clinic, also in a browser in %s',
  (zone) => {
    vi.stubEnv('TZ', zone)
    expect(lineOf('DTSTART')).toBe('DTSTART:20261124T093000')
  },
)

it('escapes characters with a meaning in iCalendar', () => {
  const name = 'Spine, Hip; Knee \\ Co.\r\nATTENDEE:mailto:x@example.com\u0007'
  expect(lineOf('LOCATION', { clinicName: name })).toBe(
    String.raw`LOCATION:Spine\, Hip\; Knee \\ Co.\nATTENDEE:mailto:x@example.com`,
  )
})

it('folds long lines at 75 octets, between characters', () => {
  const clinicName = 'Clínica “Ñandú” 🦅 '.repeat(12).trim()
  const lines = calendarFile({ ...appointment, clinicName }, madeAt).split('\r\n')
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
  expect(lines.join('')).not.toContain('\u{FFFD}')
  expect(lineOf('LOCATION', { clinicName })).toBe(`LOCATION:${clinicName}`)
})

it('leaves out unknown details', () => {
  const bare = calendarFile({ ...appointment, clinicName: null, clinicPhone: null }, madeAt)
  expect(bare).toContain('SUMMARY:Appointment\r\n')
  expect(bare).not.toMatch(/LOCATION|DESCRIPTION|null/)
})

it('is named after its day', () => {
  expect(calendarFileName(appointment)).toBe('appointment-2026-11-24.ics')
})
