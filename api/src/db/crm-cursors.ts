import { sql } from 'kysely'
import type { Cursor, Kind } from '../crm/port.ts'
import { now } from './database.ts'
import type { Database, Queryable, Tx } from './database.ts'

export interface LockedCursor {
  after: Cursor
  passStartedAt: Date | null
  fullPass: boolean
}

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

/** Locks the cursor until the transaction ends; undefined if the kind is not due or another worker has the lock. */
export async function lockCursor(tx: Tx, kind: Kind): Promise<LockedCursor | undefined> {
  const row = await tx
    .selectFrom('crm_sync_cursor')
    .select(['after_at', 'after_id', 'pass_as_of as passStartedAt', 'full_pass as fullPass'])
    .where('kind', '=', kind)
    .where('due_at', '<=', now)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!row) return undefined
  const { after_at, after_id, ...rest } = row
  return { after: { at: after_at.toISOString(), id: after_id }, ...rest }
}

export async function dueKinds(db: Database): Promise<Kind[]> {
  const rows = await db
    .selectFrom('crm_sync_cursor')
    .select('kind')
    .where('due_at', '<=', now)
    .execute()
  return rows.map(({ kind }) => kind as Kind)
}

export async function advance(
  tx: Tx,
  kind: Kind,
  after: Cursor,
  passStartedAt: Date,
): Promise<void> {
  await tx
    .updateTable('crm_sync_cursor')
    .set({
      after_at: new Date(after.at),
      after_id: after.id,
      pass_as_of: passStartedAt,
      failure: null,
    })
    .where('kind', '=', kind)
    .execute()
}

export async function complete(
  tx: Tx,
  kind: Kind,
  nextFrom: Date,
  nextInSeconds: number,
): Promise<void> {
  await tx
    .updateTable('crm_sync_cursor')
    .set({
      after_at: nextFrom,
      after_id: '',
      pass_as_of: null,
      full_pass: false,
      completed_at: now,
      due_at: inSeconds(nextInSeconds),
      failure: null,
    })
    .where('kind', '=', kind)
    .execute()
}

export async function postpone(
  db: Queryable,
  kind: Kind,
  failure: string,
  seconds: number,
): Promise<void> {
  await db
    .updateTable('crm_sync_cursor')
    .set({ failed_at: now, failure, due_at: inSeconds(seconds) })
    .where('kind', '=', kind)
    .execute()
}

export async function recordCount(
  db: Queryable,
  kind: Kind,
  count: { inCrm: number; inMirror: number },
): Promise<void> {
  await db
    .updateTable('crm_sync_cursor')
    .set({
      counted_there: String(count.inCrm),
      counted_here: String(count.inMirror),
    })
    .where('kind', '=', kind)
    .execute()
}

/** Makes the next pass read all rows from the beginning and record each as seen. */
export async function startFullPass(db: Queryable, kind: Kind): Promise<void> {
  await db
    .updateTable('crm_sync_cursor')
    .set({
      after_at: new Date(0),
      after_id: '',
      pass_as_of: null,
      full_pass: true,
      due_at: now,
    })
    .where('kind', '=', kind)
    .execute()
}

export async function cursorStates(db: Queryable) {
  return db
    .selectFrom('crm_sync_cursor')
    .select([
      'kind',
      sql<number>`extract(epoch from now() - completed_at)::int`.as('lagSeconds'),
      'pass_as_of as passStartedAt',
      'failure',
      'counted_here as countedHere',
      'counted_there as countedThere',
    ])
    .orderBy('kind')
    .execute()
}
