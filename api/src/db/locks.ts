import { sql } from 'kysely'
import type { Database, Tx } from './database.ts'

export class Busy extends Error {
  override name = 'Busy'
}

const keyOf = (name: string) => sql`hashtextextended(${name}, 0)`

/** Runs one task of this name at a time across all processes; throws `Busy` while the lock is taken. */
export function withLock<T>(db: Database, name: string, task: () => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const key = keyOf(name)
    const { rows } = await sql<{
      acquired: boolean
    }>`select pg_try_advisory_lock(${key}) as acquired`.execute(connection)
    if (!rows[0]?.acquired) throw new Busy(`${name} is locked by another process`)
    try {
      return await task()
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(connection)
    }
  })
}

/** The same lock, held until the transaction ends. */
export async function lockInside(tx: Tx, name: string): Promise<void> {
  const { rows } = await sql<{
    acquired: boolean
  }>`select pg_try_advisory_xact_lock(${keyOf(name)}) as acquired`.execute(tx)
  if (!rows[0]?.acquired) throw new Busy(`${name} is locked by another process`)
}
