import type { Database, Tx } from '../../db/database.ts'
import type { Kind, Page, RowOf } from '../port.ts'
import { advance, complete, lockClaim } from './cursors.sql.ts'
import type { Claim } from './cursors.sql.ts'
import { storeRows } from './store-rows.ts'
import type { StoreParts } from './store-rows.ts'

/** What follows from a deleted or merged contact takes some milliseconds, and its account is locked meanwhile. */
const DELETED_IN_TRANSACTION = 25

/** Stores a page and moves the cursor, unless the claim has expired and another worker reads the same page. */
export async function storePage(
  { db, ...parts }: StoreParts & { db: Database },
  claim: Claim,
  page: Page<RowOf[Kind]>,
  nextInSeconds: number,
): Promise<void> {
  const stored = async (rows: readonly RowOf[Kind][], then: (tx: Tx) => Promise<void>) =>
    db.transaction().execute(async (tx) => {
      if (!(await lockClaim(tx, claim))) return false
      await storeRows(tx, parts, claim.kind, rows)
      await then(tx)
      return true
    })
  // If a worker dies in between, the page is read again.
  const parted = batches(page.rows)
  const last = parted.pop()
  for (const rows of parted) {
    if (!(await stored(rows, async () => {}))) return
  }
  await stored(last ?? [], async (tx) => {
    // The start of this pass by the CRM's clock: the next pass reads the changes since then.
    const passStartedAt = claim.passStartedAt ?? new Date(page.asOf)
    const lastRow = page.rows.at(-1)
    if (page.full && lastRow) {
      await advance(tx, claim, { at: lastRow.modifiedAt, id: lastRow.id }, passStartedAt)
    } else {
      await complete(tx, claim, passStartedAt, nextInSeconds)
    }
  })
}

/** In the same order, each with few deleted rows. */
function batches(rows: readonly RowOf[Kind][]): RowOf[Kind][][] {
  const found: RowOf[Kind][][] = []
  let deleted = DELETED_IN_TRANSACTION
  for (const row of rows) {
    if (found.length === 0 || (row.deleted && deleted >= DELETED_IN_TRANSACTION)) {
      found.push([])
      deleted = 0
    }
    found.at(-1)!.push(row)
    if (row.deleted) deleted += 1
  }
  return found
}
