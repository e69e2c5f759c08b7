import { feature } from '../feature.ts'
import { contactRequestsForExport } from './contact-requests.sql.ts'
import { contact as contactService, sendContactRequest } from './contact.ts'
import { contactRoutes } from './routes.ts'

export const contact = feature({
  name: 'contact',
  tables: {
    contact_requests: {
      export: 'contactRequests',
      erase: 'cascade',
      retention: 'kept: as long as the account',
    },
  },
  serve: (app, { db, outbox }) => contactRoutes(app, contactService(db, outbox)),
  crm: () => ({ contact_request: sendContactRequest }),
  export: () => ({
    read: async (tx, userId) => ({ contactRequests: await contactRequestsForExport(tx, userId) }),
  }),
})
