import { onTestFinished, vi } from 'vitest'
import { recordEvent } from '../../api/src/db/audit-events.ts'
import { openDatabase, openPool } from '../../api/src/db/database.ts'
import type { Database } from '../../api/src/db/database.ts'
import { sealEvents, verifyChain } from '../../api/src/features/audit/chain.ts'
import { connected, migratedDatabase } from './databases.ts'

/** A new audit log for one test, with connections as the application's role and as the owner of the tables. */
export async function newLog(events: number) {
  const url = await migratedDatabase()
  const pool = openPool({ url, size: 4, statementTimeoutMs: 8_000, onIdleError: () => {} })
  const owner = await connected(url)
  onTestFinished(async () => {
    await Promise.all([pool.end(), owner.end()])
  })
  const db = openDatabase(pool)
  for (let n = 0; n < events; n += 1) await recordEvent(db, { event: 'signed_in', details: { n } })
  return { url, db, pool, owner }
}

/** Retries, because running transactions of other test files in the same cluster delay sealing. */
export const sealUpTo = (db: Database, events: number) =>
  vi.waitUntil(async () => {
    await sealEvents(db)
    return (await verifyChain(db)).events >= events
  }, 60_000)
