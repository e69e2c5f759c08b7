import { ENDED_CONSENT_YEARS } from '@guidon/contract/consents'
import { DAY_HOURS, deleteExpired } from '../../db/retention.ts'
import { feature } from '../feature.ts'
import { consentRecords } from './consents.sql.ts'
import { consents as consentsService } from './consents.ts'
import { consentRoutes } from './routes.ts'

export const consents = feature({
  name: 'consents',
  tables: {
    consents: {
      export: 'consents',
      erase: 'cascade',
      // Current ones stay as long as the account. Ended ones are evidence until claims about them expire.
      retention: {
        hours: ENDED_CONSENT_YEARS * 365 * DAY_HOURS,
        delete: deleteExpired('consents', {
          expiry: 'coalesce(withdrawn_at, replaced_at)',
          where: '(withdrawn_at is not null or replaced_at is not null)',
        }),
      },
    },
    consent_texts: {
      noPersonalData: 'texts of the provider, the same for everyone',
      retention: 'kept: evidence of what consents were about',
    },
  },
  serve: (app, { db, brand }) => consentRoutes(app, consentsService(db, brand.legal)),
  export: () => ({
    read: async (tx, userId) => ({ consents: await consentRecords(tx, userId) }),
  }),
})
