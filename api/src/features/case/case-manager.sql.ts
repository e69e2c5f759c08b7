import type { CaseManager } from '@guidon/contract/case-manager'
import { statement } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'

const selectCaseManager = statement<CaseManager>(`
  select m.name, m.email, m.phone
  from case_contact c join crm_user m on m.id = c.case_manager_id and not m.deleted
  where c.user_id = $1`)

export async function caseManagerOf(
  db: Queryable,
  userId: string,
): Promise<CaseManager | undefined> {
  const [manager] = await selectCaseManager(db, userId)
  return manager
}
