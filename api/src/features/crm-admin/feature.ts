import { latestCheck } from '../../crm/check.sql.ts'
import { cursorStates } from '../../crm/mirror/cursors.sql.ts'
import { reconcile, reconcileWork } from '../../crm/mirror/reconcile.ts'
import { refreshVeteran, refreshVeteranWork } from '../../crm/mirror/refresh-veteran.ts'
import { outboxState } from '../../crm/outbox/outbox.sql.ts'
import { callsByPurpose, latestUsage } from '../../crm/usage.sql.ts'
import { DAY_HOURS, deleteExpired } from '../../db/retention.ts'
import { needingCrm } from '../../jobs/job.ts'
import { feature } from '../feature.ts'
import type { AdminParts } from '../feature.ts'
import { crmCommands } from './commands.ts'
import { exportCrm } from './export.ts'
import { crmGauges } from './gauges.ts'

/** Copies of the CRM's records. The nightly reconciliation marks those that the CRM deleted, and later removes them. */
const mirrored = {
  export: 'copyOfCrm',
  erase: 'emptied: rows of the contact of the account stay without their content',
  retention: 'kept: as long as the CRM has the record, and 15 days more',
} as const

const services = ({ db, outbox }: Pick<AdminParts, 'db' | 'outbox'>) => ({
  crm: {
    status: async () => {
      const [check, mirror, usage, calls, waiting] = await Promise.all([
        latestCheck(db),
        cursorStates(db),
        latestUsage(db),
        callsByPurpose(db),
        outboxState(db),
      ])
      return { check, mirror, usage, calls, outbox: waiting }
    },
    sendAgain: outbox.sendAgain,
  },
})

/** The copy of the CRM's records, and the outbox of what is sent to the CRM. */
export const crmAdmin = feature({
  name: 'crm-admin',
  tables: {
    crm_contact: mirrored,
    crm_appointment: mirrored,
    crm_document: mirrored,
    crm_claim: mirrored,
    claim_steps: {
      export: 'copyOfCrm',
      erase: 'deleted: with the content of the claim',
      retention: 'kept: as long as the claim',
    },
    crm_user: {
      noPersonalData: 'names and addresses of the provider’s staff, no veteran’s',
      retention: mirrored.retention,
    },
    crm_document_category: {
      noPersonalData: 'names of document categories',
      retention: mirrored.retention,
    },
    crm_sync_cursor: {
      noPersonalData: 'positions of the mirror',
      retention: 'kept: one row for each kind of record',
    },
    crm_outbox: {
      export: 'sentToCrm',
      erase: 'cascade',
      // A month to investigate what was sent. The entry of the contact is kept: it shows that the CRM has the account.
      retention: {
        hours: 30 * DAY_HOURS,
        delete: deleteExpired('crm_outbox', {
          key: ['number'],
          expiry: 'sent_at',
          where: `kind <> 'contact'`,
        }),
      },
    },
    crm_sender: {
      noPersonalData: 'the pace of the calls that send',
      retention: 'kept: one row',
    },
    crm_api_usage: {
      noPersonalData: 'numbers of calls',
      // Only the newest row is used; the others show the trend of a month.
      retention: {
        hours: 30 * DAY_HOURS,
        delete: deleteExpired('crm_api_usage', { key: ['day'], expiry: 'at' }),
      },
    },
    crm_calls: {
      noPersonalData: 'numbers of calls',
      retention: {
        hours: 30 * DAY_HOURS,
        delete: deleteExpired('crm_calls', { key: ['day', 'purpose'], expiry: 'at' }),
      },
    },
    crm_check: {
      noPersonalData: 'names of objects and fields that the CRM lacks',
      retention: 'kept: one row',
    },
  },
  jobs: [refreshVeteran, reconcile],
  work: (parts) => [refreshVeteranWork(parts), reconcileWork(parts)].map(needingCrm),
  gauges: ({ db }) => crmGauges(db),
  export: exportCrm,
  admin: services,
  commands: crmCommands,
})
