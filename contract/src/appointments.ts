import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Local date and time of the clinic, as text, so that no time zone can shift them. */
export const appointment = z.object({
  id: z.string(),
  /** yyyy-mm-dd */
  appointmentDateText: z.string(),
  /** HH:MM */
  appointmentTimeText: z.string(),
  clinicName: z.nullable(z.string()),
  clinicPhone: z.nullable(z.string()),
})
export type Appointment = z.infer<typeof appointment>

export const getAppointments = endpoint({
  method: 'GET',
  path: '/salesforce/appointments/me',
  session: 'required',
  roles: ['USER'],
  response: z.array(appointment),
  failure: 'Failed to get appointments.',
})
