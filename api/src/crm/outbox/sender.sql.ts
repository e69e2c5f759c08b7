import { sql } from 'kysely'
import type { Queryable, Tx } from '../../db/database.ts'

const MAX_DELAY_SECONDS = 60

/** Locks the turn until the transaction ends; undefined if the next round is not due, or another worker has the turn. */
export async function lockTurn(tx: Tx): Promise<{ failures: number } | undefined> {
  return tx
    .selectFrom('crm_sender')
    .select('failures')
    .where('next_round_at', '<=', sql<Date>`now()`)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** The time until the next round of any worker. */
export async function delayNextRound(db: Queryable, milliseconds: number): Promise<void> {
  await sql`
    update crm_sender
    set next_round_at = clock_timestamp() + make_interval(secs => ${milliseconds / 1000})`.execute(
    db,
  )
}

export async function roundSucceeded(db: Queryable): Promise<void> {
  await sql`update crm_sender set failures = 0 where failures > 0`.execute(db)
}

/** The delay doubles with each failure in a row. */
export async function roundFailed(db: Queryable): Promise<void> {
  await sql`
    update crm_sender set failures = failures + 1, next_round_at = greatest(next_round_at,
      clock_timestamp() + make_interval(secs => least(${MAX_DELAY_SECONDS}, 2 ^ least(failures + 1, 10))))`.execute(
    db,
  )
}
