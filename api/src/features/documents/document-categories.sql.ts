import { statement } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'

// A parameter, because only statements with parameters are prepared.
const selectCategories = statement<{ name: string }>(`
  select name from crm_document_category where deleted = $1 and name is not null order by sort, name`)

export async function documentCategories(db: Queryable): Promise<string[]> {
  const rows = await selectCategories(db, false)
  return rows.map(({ name }) => name)
}
