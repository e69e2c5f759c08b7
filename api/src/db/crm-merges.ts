import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Locks the accounts of these contacts. To avoid deadlocks, call it before the contacts change: an erasure does so. */
export async function lockAccountsOf(tx: Tx, contactIds: readonly string[]): Promise<void> {
  await sql`select from users where salesforce_id = any(${contactIds}::text[])
    order by id for no key update`.execute(tx)
}

/** More merges in a row than staff ever make; ends a cycle. */
const MAX_MERGES = 20

/** The contacts that are linked to an account and were merged into one of these. */
export async function mergedInto(tx: Tx, contactIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select loser.id from crm_contact as loser join users on users.salesforce_id = loser.id
    where loser.master_id = any(${contactIds}::text[]) and loser.deleted`.execute(tx)
  return rows.map(({ id }) => id)
}

export interface MergedAccount {
  userId: string
  /** The contact that staff unlinked from the account. */
  unlinkedFrom: string | null
  /** The contact that the account is linked to, which was merged. */
  from: string
  /** The contact that survived all merges. */
  into: string
}

/** Finds the accounts that are linked to one of these contacts, where it was merged into another one. */
export async function accountsOfMerged(
  tx: Tx,
  contactIds: readonly string[],
): Promise<MergedAccount[]> {
  const { rows } = await sql<MergedAccount>`
    with recursive merge as (
      select users.id as "userId", unlinked_from as "unlinkedFrom", loser.id as "from",
        loser.master_id as "into", 1 as step
      from users join crm_contact as loser on loser.id = users.salesforce_id
      where loser.id = any(${contactIds}::text[]) and loser.deleted and loser.master_id is not null
      union all
      select merge."userId", merge."unlinkedFrom", merge."from", loser.master_id, merge.step + 1
      from merge join crm_contact as loser on loser.id = merge."into"
      where loser.deleted and loser.master_id is not null and merge.step < ${MAX_MERGES}::int)
    select distinct on ("userId") "userId", "unlinkedFrom", "from", "into" from merge
    order by "userId", step desc`.execute(tx)
  return rows
}
