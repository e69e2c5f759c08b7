import type { LinkOrigin } from '@guidon/contract/links'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../db/database.ts'

/** More merges in a row than staff ever make; ends a cycle. */
const MAX_MERGES = 20

/**
 * Locks the accounts with a link to one of these contacts. To avoid deadlocks, call it before the contacts change: an
 * erasure does so.
 */
export async function lockAccountsOf(tx: Tx, contactIds: readonly string[]): Promise<void> {
  await sql`select from users where id in (
      select user_id from links where contact_id = any(${contactIds}::text[]) and state <> 'ended')
    order by id for no key update`.execute(tx)
}

/** The contacts that have a link, and were merged into one of these. */
export async function linkedAndMergedInto(
  tx: Tx,
  contactIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select loser.id from crm_contact as loser
    where loser.master_id = any(${contactIds}::text[]) and loser.deleted
      and exists (select from links where contact_id = loser.id and state <> 'ended')`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The contact that survived all merges of this one; undefined if it was not merged. */
export async function mergedInto(db: Queryable, contactId: string): Promise<string | undefined> {
  const { rows } = await sql<{ into: string }>`
    with recursive merge as (
      select master_id as "into", 1 as step from crm_contact
      where id = ${contactId} and deleted and master_id is not null
      union all
      select loser.master_id, merge.step + 1 from merge join crm_contact as loser on loser.id = merge."into"
      where loser.deleted and loser.master_id is not null and merge.step < ${MAX_MERGES}::int)
    select "into" from merge order by step desc limit 1`.execute(db)
  return rows[0]?.into
}

export interface LinkOfContact {
  id: string
  userId: string
  contactId: string
  origin: LinkOrigin
  state: 'waiting' | 'live' | 'frozen'
}

/** The links of this contact that have not ended. */
export async function linksOf(db: Queryable, contactId: string) {
  const { rows } = await sql<LinkOfContact>`
    select id, user_id as "userId", contact_id as "contactId", origin, state from links
    where contact_id = ${contactId} and state <> 'ended' order by user_id, id`.execute(db)
  return rows
}
