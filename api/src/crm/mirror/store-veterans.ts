import type { Database } from '../../db/database.ts'
import type { Crm, Kind, RowOf, VeteranRows } from '../port.ts'
import { kindsReadHere } from './fields.sql.ts'
import { storeRows } from './store-rows.ts'
import type { StoreParts } from './store-rows.ts'

export interface StoreVeteransParts extends StoreParts {
  db: Database
  crm: Pick<Crm, 'readFields'>
}

/** One transaction for each kind: together they could deadlock with another worker that stores the same rows. */
export async function storeVeterans(
  { db, crm, ...parts }: StoreVeteransParts,
  rows: VeteranRows,
): Promise<void> {
  const known = await kindsReadHere(db, crm.readFields())
  const store = async <K extends Kind>(kind: K, read: readonly RowOf[K][]) => {
    if (known.has(kind)) await db.transaction().execute((tx) => storeRows(tx, parts, kind, read))
  }
  await store('user', rows.caseManagers)
  await store('contact', rows.contacts)
  await store('appointment', rows.appointments)
  await store('document', rows.documents)
  await store('claim', rows.claims)
}
