import type { ContactMethod } from '@guidon/contract/contact'
import { sql } from 'kysely'
import type { Queryable, Tx } from './database.ts'

/** The id of the new request, or undefined where the same was asked a moment ago. */
export async function insertContactRequest(
  tx: Tx,
  userId: string,
  method: ContactMethod,
  momentSeconds: number,
): Promise<string | undefined> {
  // Two clicks at the same time take turns.
  await sql`select pg_advisory_xact_lock(hashtextextended('contact ' || ${userId}, 0))`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    insert into contact_requests (user_id, method)
    select ${userId}, ${method}
    where not exists (
      select from contact_requests
      where user_id = ${userId} and method = ${method}
        and requested_at > now() - make_interval(secs => ${momentSeconds}))
    returning id`.execute(tx)
  return rows[0]?.id
}

export async function findContactRequest(db: Queryable, id: string) {
  return db
    .selectFrom('contact_requests')
    .select(['id as requestId', 'user_id as userId', 'method', 'requested_at as requestedAt'])
    .where('id', '=', id)
    .executeTakeFirst()
}
