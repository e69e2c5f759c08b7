import type { Appointment } from '@guidon/contract/appointments'
import { weekdayOf } from '../../ui/dates.ts'

/** `14:05` → `2:05 PM`; any other text is unchanged. */
export function clockTime(text: string): string {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hours === undefined) return text
  const hour = Number(hours)
  return `${hour % 12 || 12}:${minutes} ${hour < 12 ? 'AM' : 'PM'}`
}

export interface DayBadge {
  day: string
  date: string
}

/** `2026-11-24` → Tue, 24; undefined if the text is not a date. */
export function dayBadge(text: string): DayBadge | undefined {
  const day = weekdayOf(text).slice(0, 3)
  return day === '' ? undefined : { day, date: String(Number(text.slice(8, 10))) }
}

export function clinicOf({ clinicName }: Pick<Appointment, 'clinicName'>): string {
  return clinicName?.trim() || 'Appointment'
}
