import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Another process works on the same thing: try again later. */
export class Busy extends Error {
  override name = 'Busy'
}

/** One holder of this name at a time across all processes, until the transaction ends; throws `Busy` while it is taken. */
export async function lockInside(tx: Tx, name: string): Promise<void> {
  const { rows } = await sql<{
    acquired: boolean
  }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as acquired`.execute(tx)
  if (!rows[0]?.acquired) throw new Busy(`${name} is locked by another process`)
}
