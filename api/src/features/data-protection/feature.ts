import { DAY_HOURS, deleteExpired } from '../../db/retention.ts'
import { deleteJobsOf } from '../../jobs/delete-jobs.ts'
import { feature } from '../feature.ts'
import { recordCommands } from './commands.ts'
import type { RecordServices } from './commands.ts'
import { erasing } from './erase.ts'
import { exporting } from './export.ts'
import { keys } from './keys.ts'
import { partitionTables, partitionTablesWork } from './partitions.ts'
import { sweepRecords, sweepRecordsWork } from './retention.ts'

/** Retention, export and erasure of what all features store, and the keys that encrypt it. */
export const dataProtection = feature<RecordServices>({
  name: 'data-protection',
  tables: {
    erasures: {
      noPersonalData: 'ids of erased accounts and contacts',
      retention: 'kept: for good, to erase again after a restore',
    },
    sent_mails: {
      noPersonalData: 'ids of jobs',
      // The queue repeats a job for up to 14 days. Kept for more than twice as long, so that no email is sent twice.
      retention: {
        hours: 30 * DAY_HOURS,
        delete: deleteExpired('sent_mails', { key: ['job_id'], expiry: 'sent_at' }),
      },
    },
  },
  jobs: [partitionTables, sweepRecords],
  work: ({ db, retention, log }) => [
    partitionTablesWork(db, log),
    sweepRecordsWork(db, retention, log),
  ],
  admin: (parts) => {
    const erase = erasing({ ...parts, deleteJobsOf })
    const findId = async (email: string) => (await erase.find(email))?.userId
    return {
      records: { erase, ...exporting({ ...parts, findId }) },
      keys: keys(parts),
    }
  },
  commands: recordCommands,
})
