import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import {
  clearRefusals,
  countUnsent,
  lockNextEntry,
  insertEntry,
  markRefused,
  markSent,
  setTarget,
  usersWithUnsent,
} from '../../db/crm-outbox.ts'
import type { NewEntry, OutboxEntry } from '../../db/crm-outbox.ts'
import { latestUsage, recordUsage, reserveSlot } from '../../db/crm-usage.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { OutboxKind } from '../../db/schema.ts'
import { job, work } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queues.ts'
import type { Log } from '../../platform/log.ts'
import { CrmRefused, CrmUnavailable } from '../port.ts'
import type { Crm } from '../port.ts'
import { spacingMs } from '../quota.ts'

/** Sends all unsent entries of one veteran to the CRM, in order. */
export const sendToCrm = job({
  name: 'crm.send',
  data: z.object({ userId: z.uuid() }),
  // Covers an outage of a day and a half; after that the nightly sweep starts it again.
  options: { retryLimit: 2000, retryDelay: 2, retryDelayMax: 60, expireInSeconds: 300 },
})

/** Twice the longest time between two slots, and less than half of the job's expiry. */
const MAX_SLOT_WAIT_MS = 120_000

/** After this many entries, other accounts get their turn. */
const ENTRIES_PER_RUN = 5

/** Nightly: starts a job for every veteran with unsent entries, in case theirs has failed. */
export const sweepOutbox = job({
  name: 'crm.sweep-outbox',
  data: z.object({}).nullish(),
  options: { retryLimit: 2, retryDelay: 60, expireInSeconds: 300 },
  every: '45 9 * * *',
})

/** The more entries an account has waiting, the later its next job runs. */
const sendInTurn = async (tx: Tx, jobs: Jobs, userId: string) =>
  jobs.send(sendToCrm, { userId }, tx, { turn: Math.max(1, await countUnsent(tx, userId)) })

/** Returns the number of veterans with unsent entries. */
async function sendAllUnsent(tx: Tx, jobs: Jobs): Promise<number> {
  const userIds = await usersWithUnsent(tx)
  for (const userId of userIds) await jobs.send(sendToCrm, { userId }, tx)
  return userIds.length
}

export interface Outbox {
  /** Adds the entry in the caller's transaction, so that it is sent only if that commits. */
  add(tx: Tx, entry: NewEntry): Promise<void>
  /** Sends all unsent entries again, including refused ones. Returns the number of veterans. */
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
        return sendAllUnsent(tx, jobs)
      }),
  }
}

/** Sends an entry to the CRM. Must be idempotent. */
type Send = (entry: OutboxEntry, tx: Tx) => Promise<void>

/**
 * For sends that would not be idempotent on their own: the row that `prepare` chooses is committed as the
 * entry's target before `send` writes to it. `send` returns `again` if the target is no longer valid.
 */
export interface PreparedSend {
  prepare(entry: OutboxEntry, tx: Tx): Promise<string>
  send(entry: OutboxEntry & { target: string }, tx: Tx): Promise<'again' | void>
}
export type Sender = Send | PreparedSend
export type Senders = Record<OutboxKind, Sender>

type Step = 'sent' | 'again' | 'stop' | { number: string; target: string }

export interface OutboxParts {
  db: Database
  crm: Pick<Crm, 'usage'>
  senders: Senders
  jobs: Jobs
  log: Log
}

export function sendToCrmWork({ db, crm, senders, jobs, log }: OutboxParts) {
  /** A refusal is stored with the entry and ends the run. */
  const withNextEntry = (userId: string, action: (entry: OutboxEntry, tx: Tx) => Promise<Step>) =>
    db.transaction().execute(async (tx): Promise<Step> => {
      const entry = await lockNextEntry(tx, userId)
      if (!entry || entry.refused) return 'stop'
      try {
        return await action(entry, tx)
      } catch (error) {
        if (!(error instanceof CrmRefused)) throw error
        log.error({ err: error, kind: entry.kind }, 'crm: outbox entry refused')
        await markRefused(tx, entry.number, error.code)
        return 'stop'
      }
    })

  /** Returns whether there may be another entry. */
  const sendNext = async (userId: string): Promise<boolean> => {
    const first = await withNextEntry(userId, async (entry, tx) => {
      const sender = senders[entry.kind]
      if (typeof sender !== 'function') {
        const target = await sender.prepare(entry, tx)
        await setTarget(tx, entry.number, target)
        return { number: entry.number, target }
      }
      await sender(entry, tx)
      await markSent(tx, entry.number)
      return 'sent'
    })
    if (typeof first === 'string') return first !== 'stop'
    const second = await withNextEntry(userId, async (entry, tx) => {
      const sender = senders[entry.kind]
      const { number, target } = first
      // Another worker has prepared or sent this entry meanwhile.
      const hasChanged = entry.number !== number || entry.target !== target
      if (hasChanged || typeof sender === 'function') return 'again'
      if ((await sender.send({ ...entry, target }, tx)) === 'again') return 'again'
      await markSent(tx, number)
      return 'sent'
    })
    return second !== 'stop'
  }

  const waitForSlot = async (signal: AbortSignal) => {
    const spacing = spacingMs(await latestUsage(db))
    if (spacing === 0) return
    const waitMs = await reserveSlot(db, spacing, MAX_SLOT_WAIT_MS)
    if (waitMs === undefined) throw new CrmUnavailable('OWN_PACE')
    await delay(waitMs, undefined, { signal })
  }

  const sendRest = async (tx: Tx, userId: string) => {
    if ((await countUnsent(tx, userId)) > 0) await sendInTurn(tx, jobs, userId)
  }

  return work(sendToCrm, async ({ userId }, { signal }) => {
    let mayBeMore = true
    for (let sent = 0; mayBeMore && sent < ENTRIES_PER_RUN; sent += 1) {
      // If the waits for slots have used up the job's time, its next try sends the rest.
      signal.throwIfAborted()
      await waitForSlot(signal)
      mayBeMore = await sendNext(userId)
    }
    if (mayBeMore) await db.transaction().execute((tx) => sendRest(tx, userId))
    const usage = crm.usage()
    if (usage) await recordUsage(db, usage)
  })
}

export function sweepOutboxWork(db: Database, jobs: Jobs) {
  return work(sweepOutbox, async () => {
    await db.transaction().execute((tx) => sendAllUnsent(tx, jobs))
  })
}
