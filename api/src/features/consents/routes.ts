import { acceptConsents, getConsents, withdrawConsent } from '@guidon/contract/consents'
import type { FastifyInstance } from 'fastify'
import { bind } from '../../http/bind.ts'
import type { Consents } from './consents.ts'

export function consentRoutes(app: FastifyInstance, consents: Consents): void {
  bind(app, getConsents, ({ user }) => consents.of(user.id))
  bind(app, acceptConsents, ({ user, body }) => consents.accept(user.id, body.accepted))
  bind(app, withdrawConsent, ({ user, params }) => consents.withdraw(user.id, params.kind))
}
