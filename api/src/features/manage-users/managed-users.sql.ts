import type { Readable } from 'node:stream'
import type { Role } from '@guidon/contract/account'
import { LISTING_MAX } from '@guidon/contract/manage-users'
import type { ManagedUser, Order, SortBy } from '@guidon/contract/manage-users'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { CopyStreams } from '../../db/copy-streams.ts'
import type { Database, Queryable, Tx } from '../../db/database.ts'

const LISTED = `id, email, first_name as "firstName", last_name as "lastName", role,
  is_active as "isActive", phone, salesforce_id as "salesforceId", box_folder_id as "boxFolderId",
  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt"`

/** Without the unverified sign-ups that the previous release kept in the same table. */
const ACCOUNTS = `users where email_verified_at is not null`

/** Each as its index has it. */
const SORTED: Record<SortBy, string> = {
  email: 'email collate "C"',
  lastName: 'lower(last_name) collate "C"',
  firstName: 'lower(first_name) collate "C"',
  role: 'role collate "C"',
  createdAt: 'created_at',
}
const FULL_NAME = `lower(first_name || ' ' || last_name) collate "C"`
const BEGINNINGS = [SORTED.email, SORTED.lastName, FULL_NAME]
const ANYWHERE = `lower(first_name || ' ' || last_name || ' ' || email)`
/** In fewer characters there is no group of three that the index could be asked for. */
const ANYWHERE_LEAST = 3
/**
 * So many a search finds of each kind; more say that the words are too few. Sorting all that begin with an
 * "s" would take seconds, and no one reads them.
 */
const FOUND_MOST = 100

export interface Sorting {
  sortBy: SortBy
  order: Order
}

const orderBy = ({ sortBy, order }: Sorting) => `${SORTED[sortBy]} ${order}, id ${order}`

/** The answer to a listing, whole, as text or zipped. */
export function streamUsers(copies: CopyStreams, sorting: Sorting, zipped: boolean): Readable {
  const rows = `select ${LISTED} from ${ACCOUNTS} order by ${orderBy(sorting)} limit ${LISTING_MAX}`
  const frame = { head: '{"users":[', tail: ['],"total":', ',"next":null}'] } as const
  return copies.stream(`select row_to_json(listed) from (${rows}) as listed`, frame, zipped)
}

/**
 * Exact up to twice of what one listing holds. Beyond, PostgreSQL's own estimate, for counting them would
 * take longer than all the rest.
 */
export async function countUsers(db: Queryable): Promise<number> {
  const most = 2 * LISTING_MAX
  const { rows } = await sql<{ estimate: number; counted: number | null }>`
    with known as (select reltuples::float8 as estimate from pg_class where oid = 'users'::regclass)
    select estimate, case when estimate <= ${most}
      then (select count(*)::int from (select from ${sql.raw(ACCOUNTS)} limit ${most}) as bounded) end as counted
    from known`.execute(db)
  const { estimate, counted } = rows[0]!
  return counted ?? estimate
}

/** Where a page ended. What was found by its beginning comes before what holds the words elsewhere. */
export interface Place {
  value: string
  id: string
  elsewhere: boolean
}

export interface PageQuery extends Sorting {
  limit: number
  q?: string | undefined
  role?: Role | undefined
  after?: Place | undefined
}

export interface ListedUser {
  user: ManagedUser
  place: Place
}

/** One page by its place in the order, so that the last is as quick as the first. */
export async function pageOfUsers(db: Database, query: PageQuery): Promise<ListedUser[]> {
  const { q, role, limit, after } = query
  if (!q) return pageOf(db, query, role ? isRole(role) : sql`true`, false)
  return db.transaction().execute(async (tx) => {
    // The way to "smith" is not the way to "s": each search is planned for its own words.
    await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
    const first = after?.elsewhere ? [] : await pageOf(tx, query, amongBeginnings(q, role), false)
    if (first.length >= limit || q.length < ANYWHERE_LEAST) return first
    const rest = {
      ...query,
      limit: limit - first.length,
      after: after?.elsewhere ? after : undefined,
    }
    return [...first, ...(await pageOf(tx, rest, amongOthers(q, role), true))]
  })
}

const escaped = (text: string) => text.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)
const begins = (text: string, q: string) => sql`${sql.raw(text)} like ${`${escaped(q)}%`}`
const isRole = (role: Role) => sql`${sql.raw(SORTED.role)} = ${role}`
const andRole = (role: Role | undefined) => (role ? sql`and ${isRole(role)}` : sql``)

/** From each index the first that begin so; and the one whose Salesforce ID was typed. */
function amongBeginnings(q: string, role: Role | undefined) {
  const ways = BEGINNINGS.map(
    (text) => sql`(select id from users where ${begins(text, q)} ${andRole(role)}
      order by ${sql.raw(text)}, id limit ${FOUND_MOST})`,
  )
  const linked = sql`(select id from users where salesforce_id = ${q} ${andRole(role)})`
  return sql`id in (${sql.join([...ways, linked], sql` union `)})`
}

/**
 * The newest that hold the words in another place. An address is looked for by what stands before its "@":
 * the rest is in so many that the index has more work with it than without.
 */
function amongOthers(q: string, role: Role | undefined) {
  const ways = BEGINNINGS.map((text) => begins(text, q))
  const [local = ''] = q.split('@')
  const sought = local.length < q.length && local.length >= ANYWHERE_LEAST ? local : q
  return sql`id in (select id from users
    where ${sql.raw(ANYWHERE)} like ${`%${escaped(sought)}%`}
      and strpos(${sql.raw(ANYWHERE)}, ${q.toLowerCase()}) > 0 and not (${sql.join(ways, sql` or `)})
      ${andRole(role)}
    order by id desc limit ${FOUND_MOST})`
}

async function pageOf(
  db: Queryable,
  { after, limit, sortBy, order }: PageQuery,
  which: RawBuilder<unknown>,
  elsewhere: boolean,
): Promise<ListedUser[]> {
  const from = after ? sql`and ${isAfter({ sortBy, order }, after)}` : sql``
  const { rows } = await sql<ManagedUser & { value: string }>`
    select ${sql.raw(LISTED)}, (${sql.raw(SORTED[sortBy])})::text as value
    from ${sql.raw(ACCOUNTS)} and ${which} ${from}
    order by ${sql.raw(orderBy({ sortBy, order }))} limit ${limit}`.execute(db)
  return rows.map(({ value, ...user }) => ({ user, place: { value, id: user.id, elsewhere } }))
}

function isAfter({ sortBy, order }: Sorting, { value, id }: Place) {
  const type = sql.raw(sortBy === 'createdAt' ? 'timestamptz' : 'text')
  const beyond = sql.raw(order === 'asc' ? '>' : '<')
  return sql`(${sql.raw(SORTED[sortBy])}, id) ${beyond} (${value}::${type}, ${id}::uuid)`
}

export async function findManaged(db: Queryable, id: string): Promise<ManagedUser | undefined> {
  const { rows } = await sql<ManagedUser>`
    select ${sql.raw(LISTED)} from ${sql.raw(ACCOUNTS)} and id = ${id}`.execute(db)
  return rows[0]
}

/** Theirs alone until the transaction ends: no two of staff change one account at once. */
export async function lockManaged(tx: Tx, id: string): Promise<ManagedUser | undefined> {
  const { rows } = await sql<ManagedUser>`
    select ${sql.raw(LISTED)} from ${sql.raw(ACCOUNTS)} and id = ${id}
    for no key update`.execute(tx)
  return rows[0]
}

/** Taken in one order by everyone, so that of two administrators who end each other one is left. */
export async function lockAdmins(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'ADMIN')
    .where('is_active', '=', true)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Whether another account has this folder, or the CRM says that it is another contact's. One transaction at a
 * time asks this of a folder, so that no two accounts are given it at once.
 */
export async function isFolderOfAnother(tx: Tx, folder: string, userId: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`box folder ${folder}`}, 0))`.execute(
    tx,
  )
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from users where box_folder_id = ${folder} and id <> ${userId})
      or exists (
        select from crm_contact
        where box_folder_id = ${folder} and not deleted
          and not exists (
            select from users
            where users.id = ${userId} and (salesforce_id = crm_contact.id
              or salesforce_id is null and portal_user_id = users.id::text
                and unlinked_from is distinct from crm_contact.id))) as taken`.execute(tx)
  return rows[0]!.taken
}
