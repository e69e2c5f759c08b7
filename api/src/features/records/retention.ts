import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import {
  removeChallenges,
  removeDevices,
  removeLimits,
  removeResetTokens,
  removeSentEntries,
  removeSentMails,
  removeSessions,
  removeSignUps,
  removeSources,
  removeStoredUploads,
  removeUnverified,
  removeUsage,
} from '../../db/retention.ts'
import type { Removal } from '../../db/retention.ts'
import type { Log } from '../../http/log.ts'
import { job, work } from '../../jobs/job.ts'
import * as keep from './keep.ts'

/** Hourly, between the other clocks' minutes. */
export const sweepRecords = job({
  name: 'records.sweep',
  data: z.object({}).nullish(),
  options: { retryLimit: 2, retryDelay: 60, expireInSeconds: 1800 },
  every: '20 * * * *',
})

/** A statement takes some ten milliseconds, so that no lock is felt. */
const BATCH = 1_000
/** Each with up to a hundred and fifty tokens, or with whatever hangs on an account. */
const SMALL_BATCH = 100
/** After a long rest there may be millions; the next hour goes on. */
const BATCHES_A_RUN = 1_000

interface Rule {
  kind: string
  hours: number
  remove: Removal
  batch: number
}

export const RULES: readonly Rule[] = [
  {
    kind: 'challenges',
    hours: keep.KEEP_CHALLENGES,
    remove: removeChallenges,
    batch: BATCH,
  },
  { kind: 'reset_tokens', hours: keep.KEEP_RESET_TOKENS, remove: removeResetTokens, batch: BATCH },
  { kind: 'sessions', hours: keep.KEEP_SESSIONS, remove: removeSessions, batch: SMALL_BATCH },
  { kind: 'sign_ups', hours: keep.KEEP_SIGN_UPS, remove: removeSignUps, batch: BATCH },
  { kind: 'users', hours: keep.KEEP_UNVERIFIED, remove: removeUnverified, batch: SMALL_BATCH },
  { kind: 'limits', hours: keep.KEEP_LIMITS, remove: removeLimits, batch: BATCH },
  { kind: 'sent_mails', hours: keep.KEEP_SENT_MAILS, remove: removeSentMails, batch: BATCH },
  { kind: 'crm_outbox', hours: keep.KEEP_SENT_ENTRIES, remove: removeSentEntries, batch: BATCH },
  { kind: 'uploads', hours: keep.KEEP_STORED_UPLOADS, remove: removeStoredUploads, batch: BATCH },
  { kind: 'crm_api_usage', hours: keep.KEEP_USAGE, remove: removeUsage, batch: BATCH },
  { kind: 'devices', hours: keep.KEEP_DEVICES, remove: removeDevices, batch: BATCH },
  { kind: 'audit_sources', hours: keep.KEEP_SOURCES, remove: removeSources, batch: BATCH },
]

/** Batch by batch, each a transaction of its own. Answers how many rows went, by table. */
export async function sweep(db: Database): Promise<Record<string, number>> {
  const removed: Record<string, number> = {}
  for (const { kind, hours, remove, batch } of RULES) {
    let total = 0
    for (let round = 0; round < BATCHES_A_RUN; round += 1) {
      const gone = await remove(db, hours, batch)
      total += gone
      if (gone < batch) break
    }
    removed[kind] = total
  }
  return removed
}

export function sweepRecordsWork(db: Database, log: Log) {
  return work(sweepRecords, async () => {
    for (const [kind, count] of Object.entries(await sweep(db))) {
      if (count > 0) log.info({ kind, count }, 'kept long enough, removed')
    }
  })
}
