import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../db/database.ts'
import type { Log } from '../platform/log.ts'
import { recordCheck } from './check.sql.ts'
import type { CrmCheck } from './check.sql.ts'
import { CrmMismatch, CrmRefused, CrmUnavailable } from './port.ts'
import type { Crm } from './port.ts'

type Stop = () => Promise<void>
/** Starts something that reads or writes the CRM. */
type Starter = () => Stop | Promise<Stop>

/** While everything fits, the check is repeated to notice a change in the org. */
const CHECKS_SKIPPED_WHILE_FITS = 60

export interface VerifiedParts {
  db: Database
  crm: Pick<Crm, 'verify'>
  /** Between two checks while the org does not fit; at most, while it is unreachable. */
  everySeconds: number
  /** Runs after each check that the org passes, before the parts are started. */
  onVerified(): Promise<void>
  starters: readonly Starter[]
  log: Log
}

export interface CrmVerification {
  /** Whether the last check found something that the operator must fix. */
  isStopped(): boolean
  /** Repeats the check before it is due. */
  checkSoon(): void
  stop(): Promise<void>
}

/**
 * Runs the CRM part of the worker while the CRM has what the portal uses. The rest of the worker, such as the
 * mail of codes, does not depend on it.
 */
export function startWhenVerified(parts: VerifiedParts): CrmVerification {
  const { db, crm, everySeconds, onVerified, starters, log } = parts
  const stopping = new AbortController()
  let running: Stop[] = []
  let last: CrmCheck | undefined

  const stopAll = async () => {
    const stops = running
    running = []
    await Promise.all(stops.map((stop) => stop()))
  }

  const startAll = async () => {
    if (running.length > 0) return
    try {
      for (const starter of starters) running.push(await starter())
    } catch (error) {
      await stopAll()
      throw error
    }
  }

  const apply = async (found: CrmCheck) => {
    if (!isDeepStrictEqual(found, last)) report(found, log)
    last = found
    // A CRM that is unreachable for a while keeps its parts: they retry on their own.
    if (found.state === 'fits') {
      await onVerified()
      await startAll()
    }
    if (found.state === 'stopped') await stopAll()
    await recordCheck(db, found)
  }

  let unreachable = 0
  /** A worker that starts during a short outage begins soon after it. */
  const secondsUntilNext = ({ state }: CrmCheck) => {
    unreachable = state === 'unreachable' ? unreachable + 1 : 0
    if (state === 'unreachable') return Math.min(everySeconds, 2 ** Math.min(unreachable, 10))
    return running.length > 0 && state === 'fits'
      ? everySeconds * CHECKS_SKIPPED_WHILE_FITS
      : everySeconds
  }

  const sleep = (seconds: number, signal: AbortSignal) =>
    delay(seconds * 1000, undefined, { signal }).catch(() => {})
  let requested = new AbortController()
  let early = 0
  /** Early checks in a row that did not help become rarer, because each one takes calls. */
  const waitForNext = async (seconds: number) => {
    const atLeast = Math.min(seconds, everySeconds * 2 ** early)
    await sleep(atLeast, stopping.signal)
    await sleep(seconds - atLeast, AbortSignal.any([stopping.signal, requested.signal]))
    early = requested.signal.aborted ? early + 1 : 0
    requested = new AbortController()
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      const found = await check(crm)
      if (stopping.signal.aborted) break
      let seconds = everySeconds
      try {
        await apply(found)
        seconds = secondsUntilNext(found)
      } catch (err) {
        log.error({ err }, 'crm: check failed')
      }
      await waitForNext(seconds)
    }
    await stopAll()
  }
  const done = run()
  return {
    isStopped: () => last?.state === 'stopped',
    checkSoon: () => requested.abort(),
    stop: async () => {
      stopping.abort()
      await done
    },
  }
}

async function check(crm: Pick<Crm, 'verify'>): Promise<CrmCheck> {
  try {
    return { state: 'fits', problems: [], missing: await crm.verify() }
  } catch (error) {
    if (error instanceof CrmUnavailable) {
      return {
        state: 'unreachable',
        problems: [`the CRM is unreachable (${error.code})`],
        missing: [],
      }
    }
    return { state: 'stopped', problems: problemsOf(error), missing: [] }
  }
}

function problemsOf(error: unknown): readonly string[] {
  if (error instanceof CrmMismatch) return error.mismatches
  if (error instanceof CrmRefused) return [`the CRM refused the portal's user (${error.code})`]
  return [`the check failed (${error instanceof Error ? error.name : typeof error})`]
}

function report({ state, problems, missing }: CrmCheck, log: Log): void {
  if (state === 'stopped')
    log.error({ problems }, 'crm: stopped, the CRM lacks what the portal uses')
  else if (state === 'unreachable') log.warn({ problems }, 'crm: unreachable, fields not verified')
  else log.info('crm: fields verified')
  if (missing.length > 0) log.warn({ missing }, 'crm: optional fields are missing, left out')
}
