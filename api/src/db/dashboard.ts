import type { Appointment } from '@guidon/contract/appointments'
import type { CaseManager } from '@guidon/contract/case-manager'
import type { UserInfo } from '@guidon/contract/profile'
import { statement } from './database.ts'
import type { Queryable } from './database.ts'

/** What a veteran's dashboard reads of the mirror: one statement each, by the account's id. */

// The day is over when it is over in Hawaii: until then the appointment may still be ahead.
const selectAppointments = statement<Appointment>(`
  select a.id, to_char(a.date, 'YYYY-MM-DD') as "appointmentDateText",
    to_char(a.time, 'HH24:MI') as "appointmentTimeText",
    a.clinic_name as "clinicName", a.clinic_phone as "clinicPhone"
  from users u join crm_appointment a on a.contact_id = u.salesforce_id
  where u.id = $1 and a.scheduled and not a.deleted
    and a.date >= (now() at time zone 'Pacific/Honolulu')::date
  order by a.date, a.time, a.id`)

export function upcomingAppointments(db: Queryable, userId: string): Promise<Appointment[]> {
  return selectAppointments(db, userId)
}

const selectCaseManager = statement<CaseManager>(`
  select m.name, m.email, m.phone
  from users u
  join crm_contact c on c.id = u.salesforce_id and not c.deleted
  join crm_user m on m.id = c.case_manager_id and not m.deleted
  where u.id = $1`)

export async function caseManagerOf(
  db: Queryable,
  userId: string,
): Promise<CaseManager | undefined> {
  const [manager] = await selectCaseManager(db, userId)
  return manager
}

// The provider's word where there is a contact; until then the account's own.
const selectUserInfo = statement<UserInfo>(`
  select
    case when c.id is null then u.first_name else c.first_name end as "firstName",
    case when c.id is null then u.last_name else c.last_name end as "lastName",
    case when c.id is null then u.phone else c.phone end as "phone",
    case when c.id is null then u.email else c.email end as "email",
    c.street, c.city, c.zip,
    case when c.id is null then u.state else c.state end as "state"
  from users u left join crm_contact c on c.id = u.salesforce_id and not c.deleted
  where u.id = $1`)

export async function userInfoOf(db: Queryable, userId: string): Promise<UserInfo | undefined> {
  const [info] = await selectUserInfo(db, userId)
  return info
}

// A parameter, though always the same: only statements with one are prepared.
const selectCategories = statement<{ name: string }>(`
  select name from crm_document_category where deleted = $1 and name is not null order by sort, name`)

export async function documentCategories(db: Queryable): Promise<string[]> {
  const rows = await selectCategories(db, false)
  return rows.map(({ name }) => name)
}
