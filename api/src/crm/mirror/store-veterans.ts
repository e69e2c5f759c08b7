import type { Database } from '../../db/database.ts'
import type { Kind, RowOf, VeteranRows } from '../port.ts'
import { storeRows } from './store-rows.ts'
import type { StoreParts } from './store-rows.ts'

export type StoreVeteransParts = StoreParts & { db: Database }

/** One transaction for each kind: together they could deadlock with another worker that stores the same rows. */
export async function storeVeterans(
  { db, ...parts }: StoreVeteransParts,
  rows: VeteranRows,
): Promise<void> {
  const store = <K extends Kind>(kind: K, read: readonly RowOf[K][]) =>
    db.transaction().execute((tx) => storeRows(tx, parts, kind, read))
  await store('user', rows.caseManagers)
  await store('contact', rows.contacts)
  await store('appointment', rows.appointments)
  await store('document', rows.documents)
  await store('claim', rows.claims)
}
