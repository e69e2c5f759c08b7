import { setTimeout as delay } from 'node:timers/promises'
import { dueKinds, postpone } from '../../db/crm-cursors.ts'
import { latestUsage, recordUsage } from '../../db/crm-usage.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../http/log.ts'
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

  const readKind = async (kind: Kind, seconds: number) => {
    try {
      while (!stopping.signal.aborted && (await readPage(db, crm, kind, seconds)) === 'more');
    } catch (err) {
      log.warn({ err, kind }, 'mirror not read')
      await postpone(db, kind, codeOf(err), Math.max(AFTER_FAILURE_SECONDS, seconds))
    }
  }

  const look = async () => {
    const kinds = await dueKinds(db)
    if (kinds.length === 0) return
    const scarce = isScarce(await latestUsage(db))
    const seconds = everySeconds * (scarce ? SCARCE_FACTOR : 1)
    await Promise.all(kinds.map((kind) => readKind(kind, seconds)))
    const usage = crm.usage()
    if (usage) await recordUsage(db, usage)
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      await look().catch((err: unknown) => log.warn({ err }, 'mirror not read'))
      await delay(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
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
