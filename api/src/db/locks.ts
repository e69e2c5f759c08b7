import { sql } from 'kysely'
import type { Database, Tx } from './database.ts'

export class Busy extends Error {
  override name = 'Busy'
}

const keyOf = (name: string) => sql`hashtextextended(${name}, 0)`

/** One at a time over all processes; whoever comes meanwhile gets `Busy` and may come again. */
export function withLock<T>(db: Database, name: string, task: () => Promise<T>): Promise<T> {
  return db.connection().execute(async (held) => {
    const key = keyOf(name)
    const { rows } = await sql<{
      got: boolean
    }>`select pg_try_advisory_lock(${key}) as got`.execute(held)
    if (!rows[0]?.got) throw new Busy(`${name} is in hand elsewhere`)
    try {
      return await task()
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(held)
    }
  })
}

/** The same lock, held until the transaction ends. */
export async function lockInside(tx: Tx, name: string): Promise<void> {
  const { rows } = await sql<{
    got: boolean
  }>`select pg_try_advisory_xact_lock(${keyOf(name)}) as got`.execute(tx)
  if (!rows[0]?.got) throw new Busy(`${name} is in hand elsewhere`)
}
