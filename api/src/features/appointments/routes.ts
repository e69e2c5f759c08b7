import { getAppointments } from '@guidon/contract/appointments'
import type { FastifyInstance } from 'fastify'
import { upcomingAppointments } from '../../db/dashboard.ts'
import type { Database } from '../../db/database.ts'
import { bind } from '../../http/bind.ts'

export function appointmentRoutes(app: FastifyInstance, db: Database): void {
  bind(app, getAppointments, ({ user }) => upcomingAppointments(db, user.id))
}
