import { advance, complete, lockClaim } from '../../db/crm-cursors.ts'
import type { Claim } from '../../db/crm-cursors.ts'
import type { Database } from '../../db/database.ts'
import type { Kind, Page, RowOf } from '../port.ts'
import { storeRows } from './store-rows.ts'
import type { StoreParts } from './store-rows.ts'

/** Stores a page and moves the cursor, unless the claim has expired and another worker reads the same page. */
export function storePage(
  { db, ...parts }: StoreParts & { db: Database },
  claim: Claim,
  page: Page<RowOf[Kind]>,
  nextInSeconds: number,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    if (!(await lockClaim(tx, claim))) return
    await storeRows(tx, parts, claim.kind, page.rows)
    // The start of this pass by the CRM's clock: the next pass reads the changes since then.
    const passStartedAt = claim.passStartedAt ?? new Date(page.asOf)
    const last = page.rows.at(-1)
    if (page.full && last) {
      await advance(tx, claim, { at: last.modifiedAt, id: last.id }, passStartedAt)
    } else {
      await complete(tx, claim, passStartedAt, nextInSeconds)
    }
  })
}
