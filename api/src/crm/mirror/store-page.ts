import { advance, complete, lockCursor } from '../../db/crm-cursors.ts'
import { recordSeen, sweepUnseen, upsertRows } from '../../db/crm-rows.ts'
import type { Database } from '../../db/database.ts'
import type { Crm, Kind } from '../port.ts'

/**
 * Each pass starts this long before the start of the previous one, because the CRM sets the timestamp of a change
 * before it commits the change. A commit that takes longer is found by the nightly count.
 */
const OVERLAP_MS = 5 * 60_000

type Step = 'not due' | 'more' | 'done'

/**
 * Reads and stores one page in one transaction, with the cursor locked against other workers. If this worker
 * dies, another one reads the same page again.
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
    // The start of this pass by the CRM's clock: the next pass reads the changes since then.
    const passStartedAt = cursor.passStartedAt ?? new Date(page.asOf)
    const last = page.rows.at(-1)
    if (page.full && last) {
      await advance(tx, kind, { at: last.modifiedAt, id: last.id }, passStartedAt)
      return 'more'
    }
    if (cursor.fullPass) await sweepUnseen(tx, kind, passStartedAt)
    await complete(tx, kind, new Date(passStartedAt.getTime() - OVERLAP_MS), nextInSeconds)
    return 'done'
  })
}
