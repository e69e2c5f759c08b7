import type { Role } from '@guidon/contract/account'
import type { Appointment } from '@guidon/contract/appointments'
import type { CaseManager } from '@guidon/contract/case-manager'
import type { UserInfo } from '@guidon/contract/profile'
import { TODAY_IN_HAWAII } from '../../db/case-rules.ts'
import { statement } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'

/** The address that the veteran said waits for the CRM, or the mirror has not read it back. */
const IS_ADDRESS_NEWER = `
  c.origin = 'portal' and (c.modified_at < u.address_said_at or exists (
    select from crm_outbox o where o.user_id = u.id and o.kind = 'contact' and o.sent_at is null))`

/** The contact's data if the account has a contact, else the account's own. What was said last wins. */
const selectUserInfo = statement<UserInfo>(`
  select
    case when c.id is null then u.first_name else c.first_name end as "firstName",
    case when c.id is null then u.last_name else c.last_name end as "lastName",
    case when c.id is null then u.phone else c.phone end as "phone",
    case when c.id is null then u.email else c.email end as "email",
    coalesce(said ->> 'street', c.street) as street, coalesce(said ->> 'city', c.city) as city,
    coalesce(said ->> 'zip', c.zip) as zip,
    coalesce(said ->> 'state', case when c.id is null then u.state else c.state end) as "state"
  from users u
  left join (select case_contact.*, links.origin from case_contact join links on links.user_id = case_contact.user_id
    and links.state = 'live') c on c.user_id = u.id
  cross join lateral (select case when c.id is null or ${IS_ADDRESS_NEWER} then u.address end as said) as newer
  where u.id = $1`)

export async function userInfoOf(db: Queryable, userId: string): Promise<UserInfo | undefined> {
  const [info] = await selectUserInfo(db, userId)
  return info
}

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

// An appointment of today is listed until the day has also ended in Hawaii.
const selectAppointments = statement<Appointment>(`
  select a.id, to_char(a.date, 'YYYY-MM-DD') as "appointmentDateText",
    to_char(a.time, 'HH24:MI') as "appointmentTimeText",
    a.clinic_name as "clinicName", a.clinic_phone as "clinicPhone"
  from case_appointment a
  where a.user_id = $1 and a.scheduled and a.date >= ${TODAY_IN_HAWAII}
  order by a.date, a.time, a.id`)

export function upcomingAppointments(db: Queryable, userId: string): Promise<Appointment[]> {
  return selectAppointments(db, userId)
}

const selectAccount = statement<{ id: string; role: Role }>(
  `select id, role from users where id = $1`,
)

export async function findAccount(db: Queryable, id: string) {
  const [account] = await selectAccount(db, id)
  return account
}
