import type { ContactMethod } from '@guidon/contract/contact'
import type { Generated } from 'kysely'
import { sql } from 'kysely'
import { rowsOf, statement } from '../../db/database.ts'
import type { Queryable, Tx } from '../../db/database.ts'

interface ContactRequests {
  id: Generated<string>
  user_id: string
  method: ContactMethod
  requested_at: Generated<Date>
}

declare module '../../db/schema.ts' {
  interface Schema {
    contact_requests: ContactRequests
  }
}

/** Returns the id of the new request, or undefined if the same was requested within `repeatSeconds`. */
export async function insertContactRequest(
  tx: Tx,
  userId: string,
  method: ContactMethod,
  repeatSeconds: number,
): Promise<string | undefined> {
  // Serializes two clicks at the same time.
  await sql`select pg_advisory_xact_lock(hashtextextended('contact ' || ${userId}, 0))`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    insert into contact_requests (user_id, method)
    select ${userId}, ${method}
    where not exists (
      select from contact_requests
      where user_id = ${userId} and method = ${method}
        and requested_at > now() - make_interval(secs => ${repeatSeconds}))
    returning id`.execute(tx)
  return rows[0]?.id
}

const selectLatest = statement<{ method: ContactMethod; requestedAt: string }>(`
  select method, to_char(requested_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "requestedAt"
  from contact_requests where user_id = $1 and requested_at > now() - make_interval(days => $2)
  order by requested_at desc limit 1`)

export async function latestContactRequest(db: Queryable, userId: string, days: number) {
  const [request] = await selectLatest(db, userId, days)
  return request
}

/** Seconds until the newest request is within the limit of a day; 0 if it is now. */
export async function secondsOverLimit(tx: Tx, userId: string, max: number): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from requested_at + interval '1 day' - now()))::int as seconds
    from contact_requests where user_id = ${userId} and requested_at > now() - interval '1 day'
    order by requested_at desc offset ${max} limit 1`.execute(tx)
  return rows[0]?.seconds ?? 0
}

export async function findContactRequest(db: Queryable, id: string) {
  return db
    .selectFrom('contact_requests')
    .select(['id as requestId', 'user_id as userId', 'method', 'requested_at as requestedAt'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export function contactRequestsForExport(tx: Tx, userId: string) {
  return rowsOf(
    tx,
    sql`select id, method, requested_at as "requestedAt"
      from contact_requests where user_id = ${userId} order by id`,
  )
}
