import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Tx } from './database.ts'

/** Another process works on the same thing: try again later. */
export class Busy extends Error {
  override name = 'Busy'
}

/** One holder of this name at a time across all processes, until the transaction ends; throws `Busy` while it is taken. */
export async function tryLockInTransaction(tx: Tx, name: string): Promise<void> {
  const { rows } = await sql<{
    acquired: boolean
  }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as acquired`.execute(tx)
  if (!rows[0]?.acquired) throw new Busy(`${name} is locked by another process`)
}

/**
 * While a change of the schema waits for a table lock, all other queries of that table wait behind it. So it times
 * out early and tries again. Shorter than deadlock_timeout, so that a deadlock never ends another transaction.
 */
export const LOCK_TIMEOUT = '500ms'
export const LOCK_RETRY_MS = 1_000
export const LOCK_TRIES = 60
const LOCK_NOT_AVAILABLE = '55P03'

export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE

/** Runs a transaction that changes the schema, again while a table stays locked. */
export async function changeSchema<T>(db: Database, change: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(async (tx) => {
        await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(tx)
        return change(tx)
      })
    } catch (error) {
      if (!isLockTimeout(error) || attempt === LOCK_TRIES) throw error
      await delay(LOCK_RETRY_MS)
    }
  }
}
