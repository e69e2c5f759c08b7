import { setTimeout as delay } from 'node:timers/promises'
import { dueKinds, postpone } from '../../db/crm-cursors.ts'
import { latestUsage, recordUsage } from '../../db/crm-usage.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Crm, Kind } from '../port.ts'
import { isScarce } from '../quota.ts'
import { readPage } from './read-page.ts'

const LOOK_EVERY_MS = 1_000
/** Between tries while the CRM does not answer. */
const AFTER_FAILURE_SECONDS = 30
/** How much seldomer it reads when calls are scarce. */
const SCARCE_FACTOR = 6

export interface PollerParts {
  db: Database
  crm: Pick<Crm, 'changes' | 'usage'>
  everySeconds: number
  log: Log
}

/** Reads what changed in the CRM into the mirror, for as long as the worker lives. */
export function startPoller({ db, crm, everySeconds, log }: PollerParts): () => Promise<void> {
  const stopping = new AbortController()
  // A first load of one kind takes minutes; the others do not wait for it.
  const reading = new Map<Kind, Promise<void>>()

  const read = async (kind: Kind) => {
    const seconds = everySeconds * (isScarce(await latestUsage(db)) ? SCARCE_FACTOR : 1)
    try {
      while (!stopping.signal.aborted && (await readPage(db, crm, kind, seconds)) === 'more');
    } catch (err) {
      log.warn({ err, kind }, 'mirror not read')
      await postpone(db, kind, codeOf(err), Math.max(AFTER_FAILURE_SECONDS, seconds))
    }
    const usage = crm.usage()
    if (usage) await recordUsage(db, usage)
  }

  const begin = (kind: Kind) => {
    const done = read(kind)
      .catch((err: unknown) => log.warn({ err, kind }, 'mirror not read'))
      .finally(() => reading.delete(kind))
    reading.set(kind, done)
  }

  const look = async () => {
    for (const kind of await dueKinds(db)) if (!reading.has(kind)) begin(kind)
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      await look().catch((err: unknown) => log.warn({ err }, 'mirror not read'))
      await delay(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
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
