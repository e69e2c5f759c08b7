import { getContactRequest, requestContact } from '@guidon/contract/contact'
import type { FastifyInstance } from 'fastify'
import { bind } from '../../http/bind.ts'
import type { Contact } from './contact.ts'

export function contactRoutes(app: FastifyInstance, contact: Contact): void {
  bind(app, getContactRequest, async ({ user }) => ({
    request: (await contact.latest(user.id)) ?? null,
  }))
  bind(app, requestContact, ({ user, body }) => contact.request(user.id, body.method))
}
