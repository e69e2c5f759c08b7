import { getIntake, saveIntake } from '@guidon/contract/intake'
import type { FastifyInstance } from 'fastify'
import { bind } from '../../http/bind.ts'
import type { Intakes } from './intake.ts'

export function intakeRoutes(app: FastifyInstance, intakes: Intakes): void {
  bind(app, getIntake, ({ user }) => intakes.read(user.id))
  bind(app, saveIntake, ({ user, body }) => intakes.save(user.id, body))
}
