import type { Appointment } from '@guidon/contract/appointments'
import { shownPhone } from '../../ui/phone.ts'

export const CALENDAR_TYPE = 'text/calendar;charset=utf-8'

/** RFC 5545 allows 75 octets a line; a continuation begins with a space of its own. */
const LINE_OCTETS = 75

/**
 * An iCalendar file (RFC 5545) of one appointment. Its time has no zone: it is the time on the clinic's wall,
 * which a calendar shows as it stands. It has no end either, since nobody has told us one.
 */
export function calendarFile(appointment: Appointment, madeAt: Date): string {
  const { id, appointmentDateText, appointmentTimeText, clinicName, clinicPhone } = appointment
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Guidon//Portal//EN',
    'BEGIN:VEVENT',
    // The same each time, so that adding it twice makes one entry.
    `UID:${escaped(`guidon-appointment-${id}`)}`,
    `DTSTAMP:${digits(madeAt.toISOString().slice(0, 19))}Z`,
    `DTSTART:${digits(`${appointmentDateText}T${appointmentTimeText}:00`)}`,
    `SUMMARY:${escaped(clinicName ? `Appointment at ${clinicName}` : 'Appointment')}`,
    clinicName && `LOCATION:${escaped(clinicName)}`,
    clinicPhone && `DESCRIPTION:${escaped(`Clinic phone: ${shownPhone(clinicPhone)}`)}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.flatMap((line) => (line ? [`${folded(line)}\r\n`] : [])).join('')
}

export function calendarFileName({ appointmentDateText }: Appointment): string {
  return `appointment-${appointmentDateText}.ics`
}

function digits(time: string): string {
  return time.replace(/[-:]/g, '')
}

function escaped(text: string): string {
  return text
    .replace(/[\\;,]/g, String.raw`\$&`)
    .replace(/\r\n?|\n/g, String.raw`\n`)
    .replace(/\p{Cc}/gu, '')
}

/** By whole characters: half of one would be unreadable. */
function folded(line: string): string {
  const encoder = new TextEncoder()
  let text = ''
  let octets = 0
  for (const character of line) {
    const size = encoder.encode(character).length
    if (octets + size > LINE_OCTETS) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += size
  }
  return text
}
