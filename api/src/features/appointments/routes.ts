import { getAppointments } from '@guidon/contract/appointments'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../db/database.ts'
import { bind } from '../../http/bind.ts'
import { upcomingAppointments } from '../case/appointments.sql.ts'

export function appointmentRoutes(app: FastifyInstance, db: Database): void {
  bind(app, getAppointments, ({ user }) => upcomingAppointments(db, user.id))
}
