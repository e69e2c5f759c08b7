import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Tx } from '../../db/database.ts'
import type { Log } from '../../platform/log.ts'
import { CrmRefused, CrmUnavailable } from '../port.ts'
import type { Crm, CrmResult } from '../port.ts'
import { spacingMs } from '../quota.ts'
import { latestUsage, recordUsage } from '../usage.sql.ts'
import {
  claimEntries,
  holdsClaim,
  markRefused,
  markSent,
  postpone,
  postponeClaim,
  release,
  releaseClaim,
  releaseWithTarget,
  renewClaim,
} from './outbox.sql.ts'
import type { OutboxEntry } from './outbox.sql.ts'
import type { Outcome, Senders, Step } from './outbox.ts'
import { delayNextRound, lockTurn, roundFailed, roundSucceeded } from './sender.sql.ts'

const CHECK_EVERY_MS = 1_000
/** How long a stop waits for the running round. The claim of a longer round expires by itself. */
const STOP_MS = 20_000
const ENTRIES_PER_ROUND = 1_000
const MIN_ENTRIES = 20
/** After a timeout, the CRM may still be working on the call. */
const LATE_SECONDS = 10

export interface SenderParts {
  db: Database
  crm: Pick<Crm, 'send' | 'usage'>
  senders: Senders
  /** The shortest time between two rounds of all workers. */
  everySeconds: number
  log: Log
}

interface Planned {
  entry: OutboxEntry
  plan: Step | Outcome | CrmUnavailable
}

/** Sends the outbox to the CRM in rounds of one call each, until it is stopped. */
export function startSender({ db, crm, senders, everySeconds, log }: SenderParts) {
  const stopping = new AbortController()
  const checkEveryMs = Math.min(CHECK_EVERY_MS, everySeconds * 1000)

  const claimRound = (claim: string) =>
    db.transaction().execute(async (tx) => {
      const turn = await lockTurn(tx)
      if (!turn) return undefined
      // After a failure fewer entries, in case the CRM needs too long for so many.
      const limit = Math.max(MIN_ENTRIES, ENTRIES_PER_ROUND / 2 ** turn.failures)
      const entries = await claimEntries(tx, claim, Math.floor(limit))
      if (entries.length === 0) {
        await delayNextRound(tx, checkEveryMs)
        return undefined
      }
      const paceMs = Math.max(everySeconds * 1000, spacingMs(await latestUsage(tx)))
      await delayNextRound(tx, paceMs)
      return { entries, isFull: entries.length >= limit }
    })

  const plan = async (entry: OutboxEntry): Promise<Planned> => {
    try {
      return { entry, plan: await senders[entry.kind](entry, db) }
    } catch (err) {
      log.error({ err, kind: entry.kind }, 'crm: outbox entry failed')
      return { entry, plan: new CrmUnavailable('NOT_PLANNED') }
    }
  }

  const settle = async (tx: Tx, { number }: OutboxEntry, outcome: Outcome | CrmUnavailable) => {
    if (outcome instanceof CrmUnavailable) await postpone(tx, number)
    else if (outcome === 'sent') await markSent(tx, number)
    else if (outcome === 'again') await release(tx, number)
    else await releaseWithTarget(tx, number, outcome)
  }

  const recordAll = async (
    claim: string,
    planned: readonly Planned[],
    results: ReadonlyMap<Planned, CrmResult>,
  ) => {
    // The first refused entry of a veteran blocks the later ones, so only the first is marked as refused.
    const refused = new Set<string>()
    const recordOne = async (tx: Tx, each: Planned) => {
      const { entry } = each
      const result = results.get(each)
      if (!(await holdsClaim(tx, entry.number, claim))) return
      if (result instanceof CrmRefused) {
        if (refused.has(entry.userId)) return release(tx, entry.number)
        refused.add(entry.userId)
        log.error({ err: result, kind: entry.kind }, 'crm: outbox entry refused')
        return markRefused(tx, entry.number, result.code)
      }
      if (typeof result === 'string') return release(tx, entry.number)
      if (result === undefined || result instanceof CrmUnavailable) {
        return settle(tx, entry, result ?? (each.plan as Outcome))
      }
      return settle(tx, entry, await (each.plan as Step).record(result.value, tx))
    }
    for (const each of planned) {
      try {
        await db.transaction().execute((tx) => recordOne(tx, each))
      } catch (err) {
        log.error({ err, kind: each.entry.kind }, 'crm: outbox entry failed')
        await db.transaction().execute(async (tx) => {
          if (await holdsClaim(tx, each.entry.number, claim)) await postpone(tx, each.entry.number)
        })
      }
    }
  }

  const send = async (planned: readonly Planned[]) => {
    const steps = planned.filter((each) => isStep(each.plan))
    const results = new Map<Planned, CrmResult>()
    if (steps.length === 0) return results
    try {
      const answers = await crm.send(steps.map(({ plan: each }) => (each as Step).operation))
      for (const [index, each] of steps.entries()) {
        results.set(each, answers[index] ?? new CrmUnavailable('UNREADABLE_ANSWER'))
      }
    } finally {
      await recordUsage(db, crm.usage())
    }
    return results
  }

  /** Returns whether more entries were waiting than fit into the call. */
  const round = async (): Promise<boolean> => {
    const claim = randomUUID()
    const claimed = await claimRound(claim)
    if (!claimed) return false
    const plans: Planned[] = []
    for (const entry of claimed.entries) plans.push(await plan(entry))
    // Planning many entries may have taken longer than the claim.
    const held = await renewClaim(db, claim)
    const planned = plans.filter(({ entry }) => held.has(entry.number))
    let results
    try {
      results = await send(planned)
    } catch (err) {
      log.warn({ err, count: planned.length }, 'crm: outbox round failed')
      await roundFailed(db)
      if (err instanceof CrmUnavailable && err.code === 'TIMEOUT') {
        await releaseClaim(db, claim, LATE_SECONDS)
      } else if (planned.length <= MIN_ENTRIES) {
        // One of them may be the cause, so others get their turn.
        await postponeClaim(db, claim)
      } else {
        await releaseClaim(db, claim)
      }
      return false
    }
    await renewClaim(db, claim)
    await recordAll(claim, planned, results)
    await roundSucceeded(db)
    const answers = [...results.values()]
    const isFull = claimed.isFull || answers.includes('did-not-fit')
    const isScarce = spacingMs(await latestUsage(db)) > 0
    const isMore = isFull && !isScarce && answers.some(isValue)
    if (isMore) await delayNextRound(db, 0)
    return isMore
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      const isMore = await round().catch((err: unknown) => {
        log.warn({ err }, 'crm: outbox round failed')
        return false
      })
      const waitMs = isMore ? 0 : checkEveryMs
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = run()
  return async (): Promise<void> => {
    stopping.abort()
    const timeout = new AbortController()
    await Promise.race([
      running,
      delay(STOP_MS, undefined, { signal: timeout.signal }).catch(() => {}),
    ])
    timeout.abort()
  }
}

const isValue = (result: CrmResult) => typeof result === 'object' && 'value' in result

const isStep = (plan: Planned['plan']): plan is Step =>
  typeof plan === 'object' && 'operation' in plan
