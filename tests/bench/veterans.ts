import { createHmac, createSecretKey } from 'node:crypto'
import type { Client } from 'pg'

const BATCH = 10_000

/** A token begins with its day, like those of the API, which searches only the rows of that day. */
const TODAY = Math.floor(Date.now() / 86_400_000).toString(36)

/** Computed from the veteran's number, so that each load process can compute the same token. */
const tokenOf = (number: number) => `${TODAY}.bench-veteran-${number}`
export const cookieOf = (number: number) => `guidon-access=${tokenOf(number)}`

/** Computes the hash under which the API stores an access token. */
export function accessHasher(tokenKey: string) {
  const secret = createSecretKey(Buffer.from(tokenKey, 'base64'))
  return (number: number) =>
    createHmac('sha256', secret)
      .update(`access\0${tokenOf(number)}`)
      .digest()
}

/** Far more than a veteran usually has. */
export const MANY_DOCUMENTS = 1_000

/** Gives the account of this session `MANY_DOCUMENTS` documents in the CRM, half with a file, and as many uploads. */
export async function addManyDocuments(sql: Client, accessHash: Buffer): Promise<void> {
  const numbered = `from session_tokens t join sessions s on s.id = t.session_id
    join links u on u.user_id = s.user_id and u.state = 'live', generate_series(1, ${MANY_DOCUMENTS}) as n where t.access_hash = $1`
  await sql.query(
    `insert into crm_document (id, modified_at, deleted, contact_id, name, type, status, box_file_id)
     select 'many-' || n, now(), false, u.contact_id, 'Document ' || n, 'Letter',
       case when n % 2 = 0 then 'notUsable' else 'requested' end,
       case when n % 2 = 0 then 'many-' || n end
     ${numbered} on conflict do nothing`,
    [accessHash],
  )
  await sql.query(
    `insert into documents (user_id, name, type, size, sha256)
     select u.user_id, 'Own ' || n || '.pdf', 'Letter', 1000, '' ${numbered} on conflict do nothing`,
    [accessHash],
  )
}

/** Ends all sessions, then opens one for each of `count` randomly chosen veterans. */
export async function signInVeterans(sql: Client, tokenKey: string, count: number): Promise<void> {
  await sql.query('truncate sessions cascade')
  const { rows } = await sql.query<{ id: string }>(
    `select user_id as id from links where state = 'live' order by md5(user_id::text) limit $1`,
    [count],
  )
  const ids = rows.map(({ id }) => id)
  await openSessions(sql, tokenKey, ids)
}

/**
 * Opens a session for each account. `last_seen_at` is a day in the future, so that the measured check does not include
 * the write that records the use of a session once a minute.
 */
export async function openSessions(
  sql: Client,
  tokenKey: string,
  userIds: readonly string[],
  firstNumber = 0,
): Promise<void> {
  const hash = accessHasher(tokenKey)
  for (let from = 0; from < userIds.length; from += BATCH) {
    const batch = userIds.slice(from, from + BATCH)
    const hashes = batch.map((_, index) => hash(firstNumber + from + index))
    await sql.query(
      `with given as materialized (
         select uuidv7() as id, user_id, hash from unnest($1::uuid[], $2::bytea[]) as given (user_id, hash)),
       opened as (
         insert into sessions (id, user_id, idle_limit, last_seen_at, expires_at)
         select id, user_id, '1 hour', now() + interval '1 day', now() + interval '1 day' from given)
       insert into session_tokens (session_id, access_hash, access_expires_at, refresh_hash)
       select id, hash, now() + interval '1 day', hash from given`,
      [batch, hashes],
    )
  }
}
