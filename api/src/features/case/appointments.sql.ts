import type { Appointment } from '@guidon/contract/appointments'
import { TODAY_IN_HAWAII } from '../../db/case-rules.ts'
import { statement } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'

// An appointment of today is listed until the day has also ended in Hawaii.
const selectAppointments = statement<Appointment>(`
  select a.id, to_char(a.date, 'YYYY-MM-DD') as "appointmentDateText",
    to_char(a.time, 'HH24:MI') as "appointmentTimeText",
    a.clinic_name as "clinicName", a.clinic_phone as "clinicPhone"
  from case_appointment a
  where a.user_id = $1 and a.scheduled and a.date >= ${TODAY_IN_HAWAII}
  order by a.date, a.time, a.id`)

export function upcomingAppointments(db: Queryable, userId: string): Promise<Appointment[]> {
  return selectAppointments(db, userId)
}
