import { setTimeout as delay } from 'node:timers/promises'
import { dueKinds, postpone } from '../../db/crm-cursors.ts'
import { latestUsage, recordUsage } from '../../db/crm-usage.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Crm, Kind } from '../port.ts'
import { isScarce } from '../quota.ts'
import { readPage } from './read-page.ts'

const CHECK_EVERY_MS = 1_000
const RETRY_SECONDS = 30
/** The interval grows by this factor while API calls are scarce. */
const SCARCE_FACTOR = 6

export interface PollerParts {
  db: Database
  crm: Pick<Crm, 'changes' | 'usage'>
  everySeconds: number
  log: Log
}

/** Copies changes from the CRM into the mirror until it is stopped. */
export function startPoller({ db, crm, everySeconds, log }: PollerParts): () => Promise<void> {
  const stopping = new AbortController()
  // Kinds are read in parallel, because the first load of one kind can take minutes.
  const reading = new Map<Kind, Promise<void>>()

  const read = async (kind: Kind) => {
    const seconds = everySeconds * (isScarce(await latestUsage(db)) ? SCARCE_FACTOR : 1)
    try {
      while (!stopping.signal.aborted && (await readPage(db, crm, kind, seconds)) === 'more');
    } catch (err) {
      log.warn({ err, kind }, 'crm: mirror read failed')
      await postpone(db, kind, codeOf(err), Math.max(RETRY_SECONDS, seconds))
    }
    const usage = crm.usage()
    if (usage) await recordUsage(db, usage)
  }

  const start = (kind: Kind) => {
    const done = read(kind)
      .catch((err: unknown) => log.warn({ err, kind }, 'crm: mirror read failed'))
      .finally(() => reading.delete(kind))
    reading.set(kind, done)
  }

  const startDue = async () => {
    for (const kind of await dueKinds(db)) if (!reading.has(kind)) start(kind)
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      await startDue().catch((err: unknown) => log.warn({ err }, 'crm: mirror read failed'))
      await delay(CHECK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await Promise.all(reading.values())
  }
  const running = run()
  return async () => {
    stopping.abort()
    await running
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unexpected'
}
