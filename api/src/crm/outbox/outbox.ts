import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import {
  clearRefusals,
  countUnsent,
  holdNext,
  insertEntry,
  markRefused,
  markSent,
  usersWaiting,
} from '../../db/crm-outbox.ts'
import type { OutboxEntry } from '../../db/crm-outbox.ts'
import { latestUsage, recordUsage, takeTurn } from '../../db/crm-usage.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { OutboxKind } from '../../db/schema.ts'
import type { Log } from '../../http/log.ts'
import { job, work } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queues.ts'
import { CrmRefused } from '../port.ts'
import type { Crm } from '../port.ts'
import { spacingMs } from '../quota.ts'

/** Tells the CRM everything of one veteran that it does not know yet, in order. */
export const sendToCrm = job({
  name: 'crm.send',
  data: z.object({ userId: z.uuid() }),
  // A day and a half of outage; then the nightly sweep starts it anew.
  options: { retryLimit: 2000, retryDelay: 2, retryDelayMax: 60, expireInSeconds: 300 },
})

/** Then others have their turn: an account with hundreds of entries does not hold up everyone. */
const ENTRIES_A_RUN = 5

/** Nightly: nothing that waits depends on a job that was lost or given up. */
export const sweepOutbox = job({
  name: 'crm.sweep-outbox',
  data: z.object({}).nullish(),
  options: { retryLimit: 2, retryDelay: 60, expireInSeconds: 300 },
  every: '45 9 * * *',
})

/** The more an account has waiting, the later its next job. */
const sendInTurn = async (tx: Tx, jobs: Jobs, userId: string) =>
  jobs.send(sendToCrm, { userId }, tx, { turn: Math.max(1, await countUnsent(tx, userId)) })

/** Starts anew whatever waits. Answers how many veterans' entries that are. */
async function startWaiting(tx: Tx, jobs: Jobs): Promise<number> {
  const waiting = await usersWaiting(tx)
  for (const userId of waiting) await jobs.send(sendToCrm, { userId }, tx)
  return waiting.length
}

export interface Outbox {
  /** Stored with the business row, in its transaction: it is sent exactly if that row exists. */
  add(tx: Tx, entry: Omit<OutboxEntry, 'number'>): Promise<void>
  /** Tries everything that waits again, also what was refused. Answers how many veterans wait. */
  sendAgain(): Promise<number>
}

export function outbox(db: Database, jobs: Jobs): Outbox {
  return {
    add: async (tx, entry) => {
      await insertEntry(tx, entry)
      await sendInTurn(tx, jobs, entry.userId)
    },
    sendAgain: () =>
      db.transaction().execute(async (tx) => {
        await clearRefusals(tx)
        return startWaiting(tx, jobs)
      }),
  }
}

/** How an entry of each kind is said to the CRM; a repeat must change nothing there. */
export type Sender = (entry: OutboxEntry, tx: Tx) => Promise<void>
export type Senders = Record<OutboxKind, Sender>

export interface OutboxParts {
  db: Database
  crm: Pick<Crm, 'usage'>
  senders: Senders
  jobs: Jobs
  log: Log
}

export function sendToCrmWork({ db, crm, senders, jobs, log }: OutboxParts) {
  /** Answers whether there may be another one. */
  const sendNext = (userId: string) =>
    db.transaction().execute(async (tx) => {
      const entry = await holdNext(tx, userId)
      if (!entry || entry.refused) return false
      try {
        await senders[entry.kind](entry, tx)
      } catch (error) {
        if (!(error instanceof CrmRefused)) throw error
        log.error({ err: error, kind: entry.kind }, 'the CRM refused an entry')
        await markRefused(tx, entry.number, error.code)
        return false
      }
      await markSent(tx, entry.number)
      return true
    })

  const sendRest = async (tx: Tx, userId: string) => {
    if ((await countUnsent(tx, userId)) > 0) await sendInTurn(tx, jobs, userId)
  }

  return work(sendToCrm, async ({ userId }) => {
    let mayBeMore = true
    for (let sent = 0; mayBeMore && sent < ENTRIES_A_RUN; sent += 1) {
      const spacing = spacingMs(await latestUsage(db))
      if (spacing > 0) await delay(await takeTurn(db, spacing))
      mayBeMore = await sendNext(userId)
    }
    if (mayBeMore) await db.transaction().execute((tx) => sendRest(tx, userId))
    const usage = crm.usage()
    if (usage) await recordUsage(db, usage)
  })
}

export function sweepOutboxWork(db: Database, jobs: Jobs) {
  return work(sweepOutbox, async () => {
    await db.transaction().execute((tx) => startWaiting(tx, jobs))
  })
}
