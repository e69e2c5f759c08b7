import { upsertRows } from '../../db/crm-rows.ts'
import type { Database } from '../../db/database.ts'
import type { VeteranRows } from '../port.ts'

/** Not one transaction: it could deadlock with another worker that stores the same rows. */
export async function storeVeterans(db: Database, rows: VeteranRows): Promise<void> {
  await upsertRows(db, 'contact', rows.contacts)
  await upsertRows(db, 'user', rows.caseManagers)
  await upsertRows(db, 'appointment', rows.appointments)
  await upsertRows(db, 'document', rows.documents)
}
