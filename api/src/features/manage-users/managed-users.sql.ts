import type { Readable } from 'node:stream'
import type { Role } from '@guidon/contract/account'
import { LISTING_MAX, phoneInSearch } from '@guidon/contract/manage-users'
import type { AccountStatus, ManagedUser, Order, SortBy } from '@guidon/contract/manage-users'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { IS_CURRENT } from '../../crm/links/links.sql.ts'
import type { CopyStreams } from '../../db/copy-streams.ts'
import type { Database, Queryable, Tx } from '../../db/database.ts'

const USER_FIELDS = `id, email, first_name as "firstName", last_name as "lastName", role,
  is_active as "isActive", phone, (select contact_id from links
    where user_id = users.id and ${IS_CURRENT}) as "salesforceId", box_folder_id as "boxFolderId",
  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt"`

/** The same expressions as in the indexes. */
const SORT_COLUMNS: Record<SortBy, string> = {
  email: 'email collate "C"',
  lastName: 'lower(last_name) collate "C"',
  firstName: 'lower(first_name) collate "C"',
  role: 'role collate "C"',
  createdAt: 'created_at',
}
const FULL_NAME = `lower(first_name || ' ' || last_name) collate "C"`
const PREFIX_COLUMNS = [SORT_COLUMNS.email, SORT_COLUMNS.lastName, FULL_NAME]
const PHONE = 'phone collate "C"'
const ANYWHERE = `lower(first_name || ' ' || last_name || ' ' || email)`
/** The trigram index needs at least three characters. */
const ANYWHERE_MIN_LENGTH = 3
/** Most matches that a search reads from one index. Sorting every account that starts with "s" would take seconds. */
const MATCHES_MAX = 100
/** Of the accounts that contain the text, those that start with it are left out again, so more are read. */
const CONTAINING_MAX = 5 * MATCHES_MAX

export interface Sorting {
  sortBy: SortBy
  order: Order
}

const orderBy = ({ sortBy, order }: Sorting) => `${SORT_COLUMNS[sortBy]} ${order}, id ${order}`

/** The whole response to a listing. */
export function streamUsers(copies: CopyStreams, sorting: Sorting, gzipped: boolean): Readable {
  const rows = `select ${USER_FIELDS} from users order by ${orderBy(sorting)} limit ${LISTING_MAX}`
  const frame = { head: '{"users":[', tail: ['],"total":', ',"next":null}'] } as const
  return copies.stream(`select row_to_json(listed) from (${rows}) as listed`, frame, gzipped)
}

/** Exact up to twice the size of a listing; beyond that PostgreSQL's estimate, because counting is too slow. */
export async function countUsers(db: Queryable): Promise<number> {
  const maxCounted = 2 * LISTING_MAX
  const { rows } = await sql<{ estimate: number; counted: number | null }>`
    with known as (select reltuples::float8 as estimate from pg_class where oid = 'users'::regclass)
    select estimate, case when estimate <= ${maxCounted}
      then (select count(*)::int from (select from users limit ${maxCounted}) as bounded) end as counted
    from known`.execute(db)
  const { estimate, counted } = rows[0]!
  return counted ?? estimate
}

/** The last row of a page. */
export interface PagePosition {
  value: string
  id: string
  /** Whether the search text is inside a field of the row. Such rows come after those where a field starts with it. */
  isSecondary: boolean
}

interface Filter {
  role?: Role | undefined
  status?: AccountStatus | undefined
}

export interface PageQuery extends Sorting, Filter {
  limit: number
  q?: string | undefined
  after?: PagePosition | undefined
}

interface ListedUser {
  user: ManagedUser
  position: PagePosition
}

export interface FoundUsers {
  users: ListedUser[]
  /** Whether a next page may have accounts that contain the search text elsewhere. */
  mayHaveMore: boolean
}

/**
 * Reads a page by keyset, so that the last page is as fast as the first. A search for text inside names and emails can
 * take a second among millions, so it has its own page if other accounts start with the text.
 */
export async function pageOfUsers(db: Database, query: PageQuery): Promise<FoundUsers> {
  const { q, after } = query
  if (!q) return { users: await pageOf(db, query, filterSql(query), false), mayHaveMore: false }
  return db.transaction().execute(async (tx) => {
    // The best plan depends on the text: "smith" matches few rows, "s" many.
    await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
    const users = after?.isSecondary ? [] : await pageOf(tx, query, prefixMatches(q, query), false)
    const isLongEnough = q.length >= ANYWHERE_MIN_LENGTH
    if (users.length > 0 || !isLongEnough) {
      // A text with "@" that emails start with is not also searched for inside other emails.
      return { users, mayHaveMore: users.length > 0 && isLongEnough && !q.includes('@') }
    }
    const rest = { ...query, after: after?.isSecondary ? after : undefined }
    return { users: await pageOf(tx, rest, otherMatches(q, query), true), mayHaveMore: false }
  })
}

const escaped = (text: string) => text.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)
const startsWith = (column: string, q: string) => sql`${sql.raw(column)} like ${`${escaped(q)}%`}`

/** Each has an index, because few of many accounts may match. */
const STATUSES: Record<AccountStatus, RawBuilder<unknown>> = {
  notLinked: sql`not has_contact`,
  inactive: sql`not is_active`,
}

function filterSql({ role, status }: Filter): RawBuilder<unknown> {
  // Not a parameter: a plan for any role would scan millions of accounts for the few with a rare one.
  const hasRole = role ? sql`${sql.raw(SORT_COLUMNS.role)} = ${sql.lit(role)}` : sql`true`
  return status ? sql`${hasRole} and ${STATUSES[status]}` : hasRole
}

/** Each column that is searched by prefix, and the condition. */
function prefixConditions(q: string) {
  const digits = phoneInSearch(q)
  const columns: [string, string][] = PREFIX_COLUMNS.map((column) => [column, q])
  if (digits) columns.push([PHONE, digits])
  return columns.map(([column, start]) => ({ column, condition: startsWith(column, start) }))
}

/**
 * The accounts that are searched. Staff and administrators are few, so they are read first: the indexes by text would
 * mostly return other accounts.
 */
function searchedAccounts({ role }: Filter) {
  if (!role || role === 'USER') return { table: sql.raw('users'), definition: sql`` }
  const definition = sql`with searched as materialized (select * from users where ${filterSql({ role })})`
  return { table: sql.raw('searched'), definition }
}

/** The first matches of each index by prefix, and the account with this Salesforce ID. */
function prefixMatches(q: string, filter: Filter) {
  const { table, definition } = searchedAccounts(filter)
  const matches = prefixConditions(q).map(
    ({
      column,
      condition,
    }) => sql`(select id from ${table} where ${condition} and ${filterSql(filter)}
      order by ${sql.raw(column)}, id limit ${MATCHES_MAX})`,
  )
  const linked = sql`(select id from ${table} where ${filterSql(filter)}
    and id in (select user_id from links where contact_id = ${q} and ${sql.raw(IS_CURRENT)}))`
  return sql`id in (${definition} ${sql.join([...matches, linked], sql` union `)})`
}

/**
 * The newest accounts with the text, or its digits in the phone number, anywhere else. For an email address, the
 * index is searched by the part before the "@", because the domain matches too many rows.
 */
function otherMatches(q: string, filter: Filter) {
  const { table, definition } = searchedAccounts(filter)
  const hasPrefix = sql.join(
    prefixConditions(q).map(({ condition }) => condition),
    sql` or `,
  )
  const newest = (condition: RawBuilder<unknown>) => sql`(select id from ${table}
    where ${condition} and ${filterSql(filter)} order by id desc limit ${CONTAINING_MAX})`
  const [local = ''] = q.split('@')
  const indexed = local.length < q.length && local.length >= ANYWHERE_MIN_LENGTH ? local : q
  const inText = newest(sql`${sql.raw(ANYWHERE)} like ${`%${escaped(indexed)}%`}
    and strpos(${sql.raw(ANYWHERE)}, ${q.toLowerCase()}) > 0`)
  const digits = phoneInSearch(q)
  const inPhone = digits ? [newest(sql`phone like ${`%${digits}%`}`)] : []
  return sql`id in (${definition} ${sql.join([inText, ...inPhone], sql` union `)})
    and not (${hasPrefix})`
}

async function pageOf(
  db: Queryable,
  { after, limit, sortBy, order }: PageQuery,
  which: RawBuilder<unknown>,
  isSecondary: boolean,
): Promise<ListedUser[]> {
  const from = after ? sql`and ${isAfter({ sortBy, order }, after)}` : sql``
  const { rows } = await sql<ManagedUser & { value: string }>`
    select ${sql.raw(USER_FIELDS)}, (${sql.raw(SORT_COLUMNS[sortBy])})::text as value
    from users where ${which} ${from}
    order by ${sql.raw(orderBy({ sortBy, order }))} limit ${limit}`.execute(db)
  return rows.map(({ value, ...user }) => ({ user, position: { value, id: user.id, isSecondary } }))
}

function isAfter({ sortBy, order }: Sorting, { value, id }: PagePosition) {
  const type = sql.raw(sortBy === 'createdAt' ? 'timestamptz' : 'text')
  const beyond = sql.raw(order === 'asc' ? '>' : '<')
  return sql`(${sql.raw(SORT_COLUMNS[sortBy])}, id) ${beyond} (${value}::${type}, ${id}::uuid)`
}

export async function findManaged(db: Queryable, id: string): Promise<ManagedUser | undefined> {
  const { rows } = await sql<ManagedUser>`
    select ${sql.raw(USER_FIELDS)} from users where id = ${id}`.execute(db)
  return rows[0]
}

export async function lockManaged(tx: Tx, id: string): Promise<ManagedUser | undefined> {
  const { rows } = await sql<ManagedUser>`
    select ${sql.raw(USER_FIELDS)} from users where id = ${id}
    for no key update`.execute(tx)
  return rows[0]
}

/** Locks all active administrators in the order of their ids. Returns the ids. */
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
