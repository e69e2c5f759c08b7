import type { Appointment } from '@guidon/contract/appointments'
import { phoneText } from '../../ui/phone.ts'

export const CALENDAR_TYPE = 'text/calendar;charset=utf-8'

/** RFC 5545 allows 75 octets per line; a continuation line starts with a space. */
const LINE_OCTETS = 75

/**
 * An iCalendar file (RFC 5545) of one appointment. Its time has no time zone: it is the clinic's local time,
 * which calendars show unchanged. The event has no end, because the CRM has none.
 */
export function calendarFile(appointment: Appointment, madeAt: Date): string {
  const { id, appointmentDateText, appointmentTimeText, clinicName, clinicPhone } = appointment
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Guidon//Portal//EN',
    'BEGIN:VEVENT',
    // Stable, so that adding the appointment again does not duplicate it.
    `UID:${escaped(`guidon-appointment-${id}`)}`,
    `DTSTAMP:${digits(madeAt.toISOString().slice(0, 19))}Z`,
    `DTSTART:${digits(`${appointmentDateText}T${appointmentTimeText}:00`)}`,
    `SUMMARY:${escaped(clinicName ? `Appointment at ${clinicName}` : 'Appointment')}`,
    clinicName && `LOCATION:${escaped(clinicName)}`,
    clinicPhone && `DESCRIPTION:${escaped(`Clinic phone: ${phoneText(clinicPhone)}`)}`,
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

/** Folds between characters, never inside one. */
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
