import { advance, complete, lockCursor } from '../../db/crm-cursors.ts'
import { recordSeen, sweepUnseen, upsertRows } from '../../db/crm-rows.ts'
import type { Database } from '../../db/database.ts'
import type { Crm, Kind } from '../port.ts'

/** A change is stamped when it is made and seen when it is committed: what took longer than this is missed until the nightly count. */
const OVERLAP_MS = 5 * 60_000

export type Step = 'not due' | 'more' | 'done'

/**
 * One page of one kind: read, stored and noted in one transaction. Its lock on the cursor keeps every other
 * worker out; a worker that dies lets go, and the next goes on with the same page.
 */
export function readPage(
  db: Database,
  crm: Pick<Crm, 'changes'>,
  kind: Kind,
  nextInSeconds: number,
): Promise<Step> {
  return db.transaction().execute(async (tx) => {
    const cursor = await lockCursor(tx, kind)
    if (!cursor) return 'not due'
    const page = await crm.changes(kind, cursor.after)
    await upsertRows(tx, kind, page.rows)
    if (cursor.fullPass) {
      const present = page.rows.filter(({ deleted }) => !deleted)
      await recordSeen(
        tx,
        kind,
        present.map(({ id }) => id),
      )
    }
    // The clock is the CRM's: what a pass may have missed is what changed after it began there.
    const passAsOf = cursor.passAsOf ?? new Date(page.asOf)
    const last = page.rows.at(-1)
    if (page.full && last) {
      await advance(tx, kind, { at: last.modifiedAt, id: last.id }, passAsOf)
      return 'more'
    }
    if (cursor.fullPass) await sweepUnseen(tx, kind, passAsOf)
    await complete(tx, kind, new Date(passAsOf.getTime() - OVERLAP_MS), nextInSeconds)
    return 'done'
  })
}
