import { cursorStates } from '../../crm/mirror/cursors.sql.ts'
import { outboxState } from '../../crm/outbox/outbox.sql.ts'
import { latestUsage } from '../../crm/usage.sql.ts'
import type { Database } from '../../db/database.ts'
import { gaugeSource } from '../../platform/gauge.ts'

export const crmGauges = (db: Database) => [
  gaugeSource({
    sourceName: 'mirror',
    gauges: {
      guidon_mirror_lag_seconds: 'Seconds since a kind of CRM record was last read completely',
    },
    read: async () => {
      const states = await cursorStates(db)
      return {
        guidon_mirror_lag_seconds: states.map(({ kind, lagSeconds }) => ({
          labels: { kind },
          value: lagSeconds,
        })),
      }
    },
  }),
  gaugeSource({
    sourceName: 'outbox',
    gauges: {
      guidon_outbox_waiting: 'Entries waiting to be sent to the CRM',
      guidon_outbox_oldest_seconds: 'Age of the oldest entry waiting to be sent to the CRM',
      guidon_outbox_refused: 'Waiting entries that the CRM has refused',
    },
    read: async () => {
      const { waiting, oldestSeconds, refusals } = await outboxState(db)
      return {
        guidon_outbox_waiting: waiting,
        guidon_outbox_oldest_seconds: oldestSeconds ?? 0,
        guidon_outbox_refused: refusals.reduce((sum, { entries }) => sum + entries, 0),
      }
    },
  }),
  gaugeSource({
    sourceName: 'crm calls',
    gauges: {
      guidon_crm_calls_used: 'CRM API calls in the last 24 hours, as the CRM counts them',
      guidon_crm_calls_limit: 'CRM API calls allowed in 24 hours',
    },
    read: async () => {
      const usage = await latestUsage(db)
      return {
        guidon_crm_calls_used: usage?.used ?? null,
        guidon_crm_calls_limit: usage?.limit ?? null,
      }
    },
  }),
]
