import { oldestUnsealedSeconds } from '../db/audit-seals.ts'
import { cursorStates } from '../db/crm-cursors.ts'
import { outboxState } from '../db/crm-outbox.ts'
import { latestUsage } from '../db/crm-usage.ts'
import type { Database } from '../db/database.ts'
import { uploadState } from '../db/uploads.ts'
import type { QueueState } from '../jobs/queues.ts'
import type { Readings } from './readings.ts'

export interface WatchedBacklog {
  db: Database
  queues(): Promise<QueueState[]>
}

/** What waits in the database, by the same queries that the command line tool shows. */
export function watchBacklog(readings: Readings, { db, queues }: WatchedBacklog): void {
  readings.add({
    what: 'queues',
    gauges: {
      guidon_queue_unfinished: 'Jobs waiting, to be tried again, or in a hand',
      guidon_queue_dead: 'Jobs given up; they are kept until an operator sends them again',
      guidon_queue_oldest_seconds: 'How long the job that waits longest has been due',
    },
    read: async () => {
      const states = await queues()
      const each = (value: (state: QueueState) => number) =>
        states.map((state) => ({ of: { queue: state.name }, value: value(state) }))
      return {
        guidon_queue_unfinished: each(({ unfinished }) => unfinished),
        guidon_queue_dead: each(({ dead }) => dead),
        guidon_queue_oldest_seconds: each(({ oldestSeconds }) => oldestSeconds),
      }
    },
  })
  readings.add({
    what: 'mirror',
    gauges: {
      guidon_mirror_lag_seconds: 'Since when a kind of CRM record was last read to its end',
    },
    read: async () => {
      const states = await cursorStates(db)
      // Never read yet: it has been missing for at least as long as this worker has been there.
      const lag = (seconds: number | null) => seconds ?? process.uptime()
      return {
        guidon_mirror_lag_seconds: states.map(({ kind, lagSeconds }) => ({
          of: { kind },
          value: lag(lagSeconds),
        })),
      }
    },
  })
  readings.add({
    what: 'outbox',
    gauges: {
      guidon_outbox_waiting: 'Entries that the CRM has not been told yet',
      guidon_outbox_oldest_seconds: 'How long the oldest of them has waited',
      guidon_outbox_refused: 'Those that the CRM has refused',
    },
    read: async () => {
      const { waiting, oldestSeconds, refusals } = await outboxState(db)
      return {
        guidon_outbox_waiting: waiting,
        guidon_outbox_oldest_seconds: oldestSeconds ?? 0,
        guidon_outbox_refused: refusals.reduce((sum, { entries }) => sum + entries, 0),
      }
    },
  })
  readings.add({
    what: 'uploads',
    gauges: {
      guidon_uploads_waiting: 'Uploaded files that have not reached the file store yet',
      guidon_uploads_bytes: 'Their size together',
      guidon_uploads_oldest_seconds: 'How long the oldest of them has waited',
      guidon_uploads_refused: 'Those that the file store has refused',
    },
    read: async () => {
      const { waiting, bytes, oldestSeconds, refused } = await uploadState(db)
      return {
        guidon_uploads_waiting: waiting,
        guidon_uploads_bytes: bytes,
        guidon_uploads_oldest_seconds: oldestSeconds ?? 0,
        guidon_uploads_refused: refused,
      }
    },
  })
  readings.add({
    what: 'crm calls',
    gauges: {
      guidon_crm_calls_used: 'Calls of the last 24 hours, as the CRM counts them',
      guidon_crm_calls_limit: 'Calls that the CRM allows in 24 hours',
    },
    read: async () => {
      const usage = await latestUsage(db)
      return {
        guidon_crm_calls_used: usage?.used ?? null,
        guidon_crm_calls_limit: usage?.limit ?? null,
      }
    },
  })
  readings.add({
    what: 'audit',
    gauges: { guidon_audit_unsealed_seconds: 'Age of the oldest audit event that no seal covers' },
    read: async () => ({ guidon_audit_unsealed_seconds: await oldestUnsealedSeconds(db) }),
  })
}
