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

/** Tells the CRM everything of one veteran that it does not know yet, in order. */
export const sendToCrm = job({
  name: 'crm.send',
  data: z.object({ userId: z.uuid() }),
  // A day and a half of outage; then the nightly sweep starts it anew.
  options: { retryLimit: 2000, retryDelay: 2, retryDelayMax: 60, expireInSeconds: 300 },
})

/** Twice the longest spacing, and less than half of what the job may take. */
const LONGEST_TURN_MS = 120_000

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
  const waiting = await usersWithUnsent(tx)
  for (const userId of waiting) await jobs.send(sendToCrm, { userId }, tx)
  return waiting.length
}

export interface Outbox {
  /** Stored with the business row, in its transaction: it is sent exactly if that row exists. */
  add(tx: Tx, entry: NewEntry): Promise<void>
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
export type Send = (entry: OutboxEntry, tx: Tx) => Promise<void>

/**
 * For what a repeat could not tell from the CRM alone: `prepare` decides what to write to, and that is
 * committed as the entry's target before `send` makes the call. `again` where the target no longer holds.
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
  /** One transaction with the veteran's next entry. A refusal is stored with the entry and ends the run. */
  const withNext = (userId: string, act: (entry: OutboxEntry, tx: Tx) => Promise<Step>) =>
    db.transaction().execute(async (tx): Promise<Step> => {
      const entry = await lockNextEntry(tx, userId)
      if (!entry || entry.refused) return 'stop'
      try {
        return await act(entry, tx)
      } catch (error) {
        if (!(error instanceof CrmRefused)) throw error
        log.error({ err: error, kind: entry.kind }, 'the CRM refused an entry')
        await markRefused(tx, entry.number, error.code)
        return 'stop'
      }
    })

  /** Returns whether there may be another one. */
  const sendNext = async (userId: string): Promise<boolean> => {
    const first = await withNext(userId, async (entry, tx) => {
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
    const second = await withNext(userId, async (entry, tx) => {
      const sender = senders[entry.kind]
      const { number, target } = first
      // Another delivery came in between: what it prepared or sent is looked at anew.
      const isOther = entry.number !== number || entry.target !== target
      if (isOther || typeof sender === 'function') return 'again'
      if ((await sender.send({ ...entry, target }, tx)) === 'again') return 'again'
      await markSent(tx, number)
      return 'sent'
    })
    return second !== 'stop'
  }

  const waitForTurn = async (signal: AbortSignal) => {
    const spacing = spacingMs(await latestUsage(db))
    if (spacing === 0) return
    const waitMs = await reserveSlot(db, spacing, LONGEST_TURN_MS)
    if (waitMs === undefined) throw new CrmUnavailable('OWN_PACE')
    await delay(waitMs, undefined, { signal })
  }

  const sendRest = async (tx: Tx, userId: string) => {
    if ((await countUnsent(tx, userId)) > 0) await sendInTurn(tx, jobs, userId)
  }

  return work(sendToCrm, async ({ userId }, { signal }) => {
    let mayBeMore = true
    for (let sent = 0; mayBeMore && sent < ENTRIES_A_RUN; sent += 1) {
      // With long turns the rest is left to the next try.
      signal.throwIfAborted()
      await waitForTurn(signal)
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
