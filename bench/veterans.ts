import { createHmac, createSecretKey } from 'node:crypto'
import type { Client } from 'pg'

const BATCH = 10_000

/** Computed from the veteran's number, so that each load process can compute the same token. */
const tokenOf = (number: number) => `bench-veteran-${number}`
export const cookieOf = (number: number) => `guidon-access=${tokenOf(number)}`

/** Computes the hash under which the API stores an access token. */
export function accessHasher(tokenKey: string) {
  const secret = createSecretKey(Buffer.from(tokenKey, 'base64'))
  return (number: number) =>
    createHmac('sha256', secret)
      .update(`access\0${tokenOf(number)}`)
      .digest()
}

/** Adds a linked account for every contact of the mirror. */
export async function addLinkedUsers(sql: Client): Promise<void> {
  await sql.query(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role,
       email_verified_at, salesforce_id, linked_at)
     select email, 'none', first_name, last_name, phone, 'California', 'USER', now(), id, now()
     from crm_contact`,
  )
}

/**
 * Signs in randomly chosen veterans. The sessions count as just used for a day, so that the measured check
 * does not include the write that records their use once a minute.
 */
export async function signInVeterans(sql: Client, tokenKey: string, count: number): Promise<void> {
  const hash = accessHasher(tokenKey)
  await sql.query('truncate sessions cascade')
  const { rows } = await sql.query<{ id: string }>(
    `select id from users where linked_at is not null order by md5(id::text) limit $1`,
    [count],
  )
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH)
    const hashes = batch.map((_, index) => hash(from + index))
    await sql.query(
      `with given as (select * from unnest($1::uuid[], $2::bytea[]) as given (user_id, hash)),
       opened as (
         insert into sessions (user_id, idle_limit, last_seen_at, expires_at)
         select user_id, '1 hour', now() + interval '1 day', now() + interval '1 day' from given
         returning id, user_id)
       insert into session_tokens (session_id, access_hash, access_expires_at, refresh_hash)
       select opened.id, hash, now() + interval '1 day', hash from opened join given using (user_id)`,
      [batch.map(({ id }) => id), hashes],
    )
  }
}
