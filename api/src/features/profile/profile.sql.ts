import type { UserInfo } from '@guidon/contract/profile'
import { statement } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'

// The contact's data if the account has a contact, else the account's own.
const selectUserInfo = statement<UserInfo>(`
  select
    case when c.id is null then u.first_name else c.first_name end as "firstName",
    case when c.id is null then u.last_name else c.last_name end as "lastName",
    case when c.id is null then u.phone else c.phone end as "phone",
    case when c.id is null then u.email else c.email end as "email",
    c.street, c.city, c.zip,
    case when c.id is null then u.state else c.state end as "state"
  from users u left join case_contact c on c.user_id = u.id
  where u.id = $1`)

export async function userInfoOf(db: Queryable, userId: string): Promise<UserInfo | undefined> {
  const [info] = await selectUserInfo(db, userId)
  return info
}
