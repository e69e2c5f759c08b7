import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { settleMoves } from '../links/settle-moves.ts'
import { unsettledMoves } from '../links/shown-records.sql.ts'
import { CrmRefused, KINDS } from '../port.ts'
import type { Crm, Kind } from '../port.ts'
import { isScarce, spacingMs } from '../quota.ts'
import { latestUsage, recordUsage } from '../usage.sql.ts'
import { claimBehind, claimTick, dueKinds, isSlow, postpone, SLOW_SECONDS } from './cursors.sql.ts'
import type { Claim } from './cursors.sql.ts'
import { storePage } from './store-page.ts'
import type { StoreParts } from './store-rows.ts'

const CHECK_EVERY_MS = 1_000
const RETRY_SECONDS = 10
/** A first load has thousands of pages, and each response has the usage. */
const RECORD_EVERY_PAGES = 20
/** The interval grows by this factor while API calls are scarce. */
const SCARCE_FACTOR = 6

export interface PollerParts extends StoreParts {
  db: Database
  crm: Pick<Crm, 'tick' | 'changes' | 'usage' | 'readFields'>
  everySeconds: number
  /** Called if the org may have other fields than this worker knows. */
  checkSoon(): void
}

/** Copies changes from the CRM into the mirror until it is stopped. */
export function startPoller(parts: PollerParts): () => Promise<void> {
  const { db, crm, everySeconds, checkSoon, log } = parts
  const stopping = new AbortController()

  const fail = async (claim: Claim, err: unknown, seconds = everySeconds) => {
    log.warn({ err, kind: claim.kind }, 'crm: mirror read failed')
    if (err instanceof CrmRefused) checkSoon()
    await postpone(db, claim, codeOf(err), Math.max(RETRY_SECONDS, seconds))
  }

  /** Reads the due kinds with one call. */
  const tick = async () => {
    const seconds = everySeconds * (isScarce(await latestUsage(db)) ? SCARCE_FACTOR : 1)
    const claims = inOrder(await claimTick(db, crm.readFields(), seconds))
    if (claims.length === 0) return
    // Before the contacts are read: then it is known whether the contacts that these records left were merged.
    const moves = await unsettledMoves(db)
    const pages = await crm
      .tick(claims)
      .catch((reason: unknown) => claims.map(() => ({ status: 'rejected' as const, reason })))
    // In reverse, so that a case manager is stored before the contacts that name them.
    for (const [at, claim] of [...claims.entries()].toReversed()) {
      const page = pages[at]!
      const nextInSeconds = isSlow(claim.kind) ? Math.max(SLOW_SECONDS, seconds) : seconds
      await (page.status === 'rejected'
        ? fail(claim, page.reason, seconds)
        : storePage(parts, claim, page.value, nextInSeconds).catch((err: unknown) =>
            fail(claim, err, seconds),
          ))
    }
    const contacts = pages[claims.findIndex(({ kind }) => kind === 'contact')]
    if (contacts?.status === 'fulfilled' && !contacts.value.full) await settleMoves(parts, moves)
    await recordUsage(db, crm.usage())
  }

  /** Reads page after page of a kind that is behind. The next tick then continues with it. */
  const catchUp = async (kind: Kind) => {
    let usage = await latestUsage(db)
    let hasRead = false
    for (let pages = 1; !stopping.signal.aborted; pages += 1) {
      const waitMs = spacingMs(usage)
      if (waitMs > 0) await delay(waitMs, undefined, { signal: stopping.signal })
      const claim = await claimBehind(db, crm.readFields(), kind)
      if (!claim) break
      try {
        const page = await crm.changes(kind, claim.after)
        hasRead = true
        // A pass of several pages took a while, so the next one is due at once.
        const nextInSeconds = claim.passStartedAt === null ? everySeconds : 0
        await storePage(parts, claim, page, isSlow(kind) ? SLOW_SECONDS : nextInSeconds)
      } catch (err) {
        await fail(claim, err)
      }
      usage = crm.usage() ?? usage
      if (pages % RECORD_EVERY_PAGES === 0) await recordUsage(db, usage)
    }
    // Without a read, the usage that this worker knows may be older than the stored one.
    if (hasRead) await recordUsage(db, crm.usage())
  }

  const running = new Map<string, Promise<void>>()
  const start = (name: string, task: () => Promise<void>) => {
    if (running.has(name)) return
    const done = task()
      .catch((err: unknown) => log.warn({ err }, 'crm: mirror read failed'))
      .finally(() => running.delete(name))
    running.set(name, done)
  }
  const startDue = async () => {
    for (const { kind, isBehind, isReadHere } of await dueKinds(db, crm.readFields())) {
      if (!isReadHere) checkSoon()
      else if (isBehind) start(kind, () => catchUp(kind))
      else start('tick', tick)
    }
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      await startDue().catch((err: unknown) => log.warn({ err }, 'crm: mirror read failed'))
      await delay(CHECK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await Promise.all(running.values())
  }
  const stopped = run()
  return async () => {
    stopping.abort()
    await stopped
  }
}

/** Contacts are queried before users, so that the users include each case manager whom a contact names. */
function inOrder(claims: readonly Claim[]): Claim[] {
  return claims.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unexpected'
}
