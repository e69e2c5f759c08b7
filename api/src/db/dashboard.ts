import type { Appointment } from '@guidon/contract/appointments'
import type { CaseManager } from '@guidon/contract/case-manager'
import type { UserInfo } from '@guidon/contract/profile'
import { sql } from 'kysely'
import type { Queryable } from './database.ts'

/** What a veteran's dashboard reads of the mirror: one statement each, by the account's id. */

/** The day is over when it is over in Hawaii: until then the appointment may still be ahead. */
export async function upcomingAppointments(db: Queryable, userId: string): Promise<Appointment[]> {
  const { rows } = await sql<Appointment>`
    select a.id, to_char(a.date, 'YYYY-MM-DD') as "appointmentDateText",
      to_char(a.time, 'HH24:MI') as "appointmentTimeText",
      a.clinic_name as "clinicName", a.clinic_phone as "clinicPhone"
    from users u join crm_appointment a on a.contact_id = u.salesforce_id
    where u.id = ${userId} and a.scheduled and not a.deleted
      and a.date >= (now() at time zone 'Pacific/Honolulu')::date
    order by a.date, a.time, a.id`.execute(db)
  return rows
}

export async function caseManagerOf(
  db: Queryable,
  userId: string,
): Promise<CaseManager | undefined> {
  const { rows } = await sql<CaseManager>`
    select m.name, m.email, m.phone
    from users u
    join crm_contact c on c.id = u.salesforce_id and not c.deleted
    join crm_user m on m.id = c.case_manager_id and not m.deleted
    where u.id = ${userId}`.execute(db)
  return rows[0]
}

/** The provider's word where there is a contact; until then the account's own. */
export async function userInfoOf(db: Queryable, userId: string): Promise<UserInfo | undefined> {
  const { rows } = await sql<UserInfo>`
    select
      case when c.id is null then u.first_name else c.first_name end as "firstName",
      case when c.id is null then u.last_name else c.last_name end as "lastName",
      case when c.id is null then u.phone else c.phone end as "phone",
      case when c.id is null then u.email else c.email end as "email",
      c.street, c.city, c.zip,
      case when c.id is null then u.state else c.state end as "state"
    from users u left join crm_contact c on c.id = u.salesforce_id and not c.deleted
    where u.id = ${userId}`.execute(db)
  return rows[0]
}

export async function documentCategories(db: Queryable): Promise<string[]> {
  const rows = await db
    .selectFrom('crm_document_category')
    .select('name')
    .where('deleted', '=', false)
    .orderBy('sort')
    .orderBy('name')
    .execute()
  return rows.flatMap(({ name }) => name ?? [])
}
