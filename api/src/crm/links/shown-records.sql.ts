import { sql } from 'kysely'
import type { Queryable, Tx } from '../../db/database.ts'
import { HOLDING } from './links.sql.ts'

/** Under which contact the records of the CRM are shown (`shown_contact_id`). */

const TABLES = ['crm_appointment', 'crm_document', 'crm_claim'] as const

export interface Moved {
  /** The account that saw the records, and no longer does. */
  userId: string
  linkId: string
  from: string
  count: number
}

/** Of a record that nobody sees while staff are asked. */
const HIDDEN = 'hidden'

/**
 * Shows the records of a contact with it, or only those that were shown with `from`. Returns the accounts that lose sight of
 * some of them.
 */
export async function moveRecords(
  tx: Tx,
  contactId: string,
  from?: string | null,
): Promise<Moved[]> {
  const which = from === undefined ? sql`` : sql`and shown_contact_id is not distinct from ${from}`
  const moved = TABLES.map(
    (table) => sql`${sql.raw(table)}_rows as (
      update ${sql.table(table)} set shown_contact_id = contact_id
      where contact_id = ${contactId} and contact_id is distinct from shown_contact_id and not deleted ${which}
      returning old.shown_contact_id as "from")`,
  )
  const all = TABLES.map((table) => sql`select "from" from ${sql.raw(table)}_rows`)
  const { rows } = await sql<Moved>`
    with ${sql.join(moved)}, moved as (${sql.join(all, sql` union all `)})
    select user_id as "userId", links.id as "linkId", "from", count(*)::int as count
    from moved join links on contact_id = "from" and state = 'live'
    group by user_id, links.id, "from" order by user_id`.execute(tx)
  return rows
}

/** Hides records of a contact that were shown with another one. Returns the accounts that lose sight of some. */
export async function hideMoved(tx: Tx, contactId: string, from: string): Promise<Moved[]> {
  const moved = TABLES.map(
    (table) => sql`${sql.raw(table)}_rows as (
      update ${sql.table(table)} set shown_contact_id = ${HIDDEN}
      where contact_id = ${contactId} and shown_contact_id = ${from} and not deleted
      returning 1)`,
  )
  const all = TABLES.map((table) => sql`select from ${sql.raw(table)}_rows`)
  const { rows } = await sql<Moved>`
    with ${sql.join(moved)}, moved as (${sql.join(all, sql` union all `)})
    select user_id as "userId", id as "linkId", ${from} as "from", (select count(*)::int from moved) as count
    from links where contact_id = ${from} and state = 'live' and exists (select from moved)`.execute(
    tx,
  )
  return rows
}

export interface MovedRecords {
  from: string | null
  to: string
}

/**
 * The moves that are not settled yet. Left out are records that wait for staff: those that nobody sees, of a contact that
 * staff are asked about, and those that an account still sees although its contact was merged.
 */
export async function unsettledMoves(db: Queryable): Promise<MovedRecords[]> {
  const each = TABLES.map(
    (table) => sql`select distinct shown_contact_id as "from", contact_id as "to"
      from ${sql.table(table)}
      where not deleted and contact_id is distinct from shown_contact_id and contact_id is not null`,
  )
  const { rows } = await sql<MovedRecords>`
    select "from", "to" from (${sql.join(each, sql` union `)}) as moved
    where case when "from" is null or "from" = ${HIDDEN}
      then not exists (select from links where contact_id = "to" and state in ('live', 'frozen')
        and question = any(${[...HOLDING]}))
      else not exists (select from crm_contact c join links l on l.contact_id = c.id
        where c.id = "from" and c.deleted and c.master_id is not null and l.state in ('live', 'frozen')) end
    order by "to", "from" nulls first limit 1000`.execute(db)
  return rows
}

/** How many records of the contact wait to be shown. */
export async function countHeld(db: Queryable, contactId: string): Promise<number> {
  const each = TABLES.map(
    (table) => sql`(select count(*)::int from ${sql.table(table)}
      where contact_id = ${contactId} and contact_id is distinct from shown_contact_id and not deleted)`,
  )
  const { rows } = await sql<{
    count: number
  }>`select ${sql.join(each, sql` + `)} as count`.execute(db)
  return rows[0]!.count
}

/**
 * The documents of an account whose contact is deleted: the CRM deleted their records with it, not on purpose. Without
 * `crm_id` they stay in the lists, and are sent again with the next contact.
 */
export async function detachDocuments(tx: Tx, userId: string, contactId: string): Promise<void> {
  await sql`
    update documents d set crm_id = null, request_name = null from crm_contact g
    where d.user_id = ${userId} and d.crm_id is not null and g.id = ${contactId}
      and not exists (select from crm_document c where c.id = d.crm_id and case when c.deleted
        then c.modified_at < g.modified_at - interval '1 minute'
        else c.contact_id is distinct from g.id end)`.execute(tx)
}

/** What the CRM lost with an earlier contact of the account, and the next contact gets. */
export async function lostWithContact(tx: Tx, userId: string) {
  const { rows } = await sql<{ kind: 'document' | 'intake'; id: string }>`
    with lost as (
      select from links l join crm_contact c on c.id = l.contact_id
      where l.user_id = ${userId} and l.state = 'ended' and c.deleted and c.master_id is null limit 1),
    found as (
      select 'intake' as kind, i.id, 0 as step from intakes i
      where i.user_id = ${userId} and i.submitted_at is not null
      union all
      select 'document', d.id, 1 from documents d
      where d.user_id = ${userId} and d.box_file_id is not null and d.crm_id is null)
    select kind, id from found
    where exists (select from lost) and not exists (
      select from crm_outbox o where o.entity_id = found.id and o.kind = found.kind and o.sent_at is null)
    order by step, id`.execute(tx)
  return rows
}
