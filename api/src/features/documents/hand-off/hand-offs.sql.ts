import { HAND_OFF_MINUTES, HAND_OFF_MINUTES_MAX } from '@guidon/contract/hand-off'
import type { HandOff, HandOffSlot } from '@guidon/contract/hand-off'
import { UPLOAD_MINUTES_MAX } from '@guidon/contract/limits'
import type { Generated } from 'kysely'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../db/database.ts'

interface HandOffs {
  user_id: string
  id: Generated<string>
  session_id: string
  token_hash: Buffer
  phone_hash: Buffer | null
  document_type: string
  request_id: string | null
  request_name: string | null
  pages: Generated<number>
  created_at: Generated<Date>
  expires_at: Date
  sending_since: Date | null
  arrived_at: Date | null
  document_id: string | null
  received_sha256: Buffer | null
  tries: Generated<number>
}

declare module '../../../db/schema.ts' {
  interface Schema {
    hand_offs: HandOffs
  }
}

const NEXT_EXPIRY = sql`least(now() + make_interval(mins => ${HAND_OFF_MINUTES}),
  h.created_at + make_interval(mins => ${HAND_OFF_MINUTES_MAX}))`

/** `sending_since` may be left over from a process that was killed. */
const IS_SENDING = sql`
  coalesce(h.sending_since > now() - make_interval(mins => ${UPLOAD_MINUTES_MAX}), false)`

const STATE = sql`case when h.arrived_at is not null then 'arrived' when ${IS_SENDING} then 'sending'
  when h.expires_at <= now() then 'expired' when h.phone_hash is not null then 'connected'
  else 'waiting' end as state`
const SECONDS_LEFT = sql`
  greatest(0, ceil(extract(epoch from h.expires_at - now())))::int as "secondsLeft"`
const SLOT = sql`h.request_name as name, ${STATE}, ${SECONDS_LEFT}`

/** Joins `h` with its account and session. A phone can connect, report pages or start to send only while it is true. */
const IS_LIVE = sql`u.id = h.user_id and s.id = h.session_id and h.expires_at > now() and u.is_active
  and s.revoked_at is null and s.expires_at > now()`
/** What has arrived stays visible to its phone. */
const IS_VISIBLE = sql`u.id = h.user_id and s.id = h.session_id and (h.arrived_at is not null
  or (${IS_LIVE}))`

/** Of a document that the provider has requested from this account. */
export async function findRequestName(db: Queryable, userId: string, requestId: string) {
  const { rows } = await sql<{ name: string | null }>`
    select c.name from case_document c where c.user_id = ${userId} and c.id = ${requestId}`.execute(
    db,
  )
  return rows[0]
}

export interface NewHandOff {
  userId: string
  sessionId: string
  tokenHash: Buffer
  documentType: string
  requestId: string | undefined
  requestName: string | null
}

/** Replaces the account's earlier hand-off, whose phone is then refused. */
export async function insertHandOff(tx: Tx, row: NewHandOff) {
  const { rows } = await sql<{ id: string; secondsLeft: number }>`
    insert into hand_offs as h
      (user_id, session_id, token_hash, document_type, request_id, request_name, expires_at)
    values (${row.userId}, ${row.sessionId}, ${row.tokenHash}, ${row.documentType},
      ${row.requestId ?? null}, ${row.requestName}, now() + make_interval(mins => ${HAND_OFF_MINUTES}))
    on conflict (user_id) do update set id = excluded.id, session_id = excluded.session_id,
      token_hash = excluded.token_hash, phone_hash = null, document_type = excluded.document_type,
      request_id = excluded.request_id, request_name = excluded.request_name, pages = 0,
      created_at = now(), expires_at = excluded.expires_at, sending_since = null, arrived_at = null,
      document_id = null, received_sha256 = null, tries = 0
    returning h.id, ${SECONDS_LEFT}`.execute(tx)
  return rows[0]!
}

export async function findHandOff(db: Queryable, userId: string, id: string) {
  const { rows } = await sql<HandOff>`
    select ${STATE}, ${SECONDS_LEFT}, h.pages, h.document_id as "documentId"
    from hand_offs h where h.user_id = ${userId} and h.id::text = ${id}`.execute(db)
  return rows[0]
}

/** Keeps a hand-off whose file is being sent or has arrived. */
export async function deleteHandOff(db: Queryable, userId: string, id: string): Promise<void> {
  await sql`delete from hand_offs h where h.user_id = ${userId} and h.id::text = ${id}
    and h.arrived_at is null and not ${IS_SENDING}`.execute(db)
}

interface OpeningPhone {
  tokenHashes: Buffer[]
  /** Identifies the phone from now on. */
  phoneHash: Buffer
  /** What it may have been identified by before. */
  phoneHashes: Buffer[]
}

/** Of concurrent phones exactly one is bound. */
export async function bindPhone(tx: Tx, { tokenHashes, phoneHash, phoneHashes }: OpeningPhone) {
  const { rows } = await sql<HandOffSlot & { userId: string; isFirst: boolean }>`
    update hand_offs h set phone_hash = ${phoneHash}, expires_at = ${NEXT_EXPIRY}
    from users u, sessions s
    where h.token_hash = any(${tokenHashes}::bytea[]) and ${IS_LIVE}
      and (h.phone_hash is null or h.phone_hash = any(${phoneHashes}::bytea[]))
    returning h.user_id as "userId", old.phone_hash is null as "isFirst", ${SLOT}`.execute(tx)
  return rows[0]
}

/** Call it if `bindPhone` has failed: a hand-off that is still live is bound to another phone. */
export async function isLiveHandOff(db: Queryable, tokenHashes: Buffer[]): Promise<boolean> {
  const { rows } = await sql`select from hand_offs h, users u, sessions s
    where h.token_hash = any(${tokenHashes}::bytea[]) and ${IS_LIVE}`.execute(db)
  return rows.length > 0
}

export async function findSlot(db: Queryable, phoneHashes: Buffer[]) {
  const { rows } = await sql<HandOffSlot>`
    select ${SLOT} from hand_offs h, users u, sessions s
    where h.phone_hash = any(${phoneHashes}::bytea[]) and ${IS_VISIBLE}`.execute(db)
  return rows[0]
}

export async function setPages(db: Queryable, phoneHashes: Buffer[], pages: number) {
  const { rows } = await sql<HandOffSlot>`
    update hand_offs h set pages = ${pages}, expires_at = ${NEXT_EXPIRY}
    from users u, sessions s
    where h.phone_hash = any(${phoneHashes}::bytea[]) and ${IS_LIVE}
    returning ${SLOT}`.execute(db)
  return rows[0]
}

/** Counts a try. Also extends the expiry, for another one after a failure. */
export async function startSending(db: Queryable, phoneHashes: Buffer[]) {
  const { rows } = await sql<{
    id: string
    userId: string
    documentType: string
    requestId: string | null
    receivedSha256: Buffer | null
    sendingSince: string
    tries: number
  }>`
    update hand_offs h set sending_since = now(), expires_at = ${NEXT_EXPIRY}, tries = h.tries + 1
    from users u, sessions s
    where h.phone_hash = any(${phoneHashes}::bytea[]) and ${IS_LIVE}
    returning h.id, h.user_id as "userId", h.document_type as "documentType",
      h.request_id as "requestId", h.received_sha256 as "receivedSha256",
      h.sending_since::text as "sendingSince", h.tries`.execute(db)
  return rows[0]
}

/** Without effect if another transfer has started meanwhile. */
export async function stopSending(
  db: Queryable,
  { userId, id, sendingSince }: { userId: string; id: string; sendingSince: string },
): Promise<void> {
  await sql`update hand_offs set sending_since = null where user_id = ${userId} and id = ${id}
    and sending_since = ${sendingSince}::timestamptz`.execute(db)
}

/**
 * Returns the hash of the file that arrived first, which may be another one. Undefined if the hand-off was replaced or
 * the account is not active any more. Neither the expiry nor a logout stops a file that is being sent.
 */
export async function markArrived(
  tx: Tx,
  { userId, id }: { userId: string; id: string },
  arrived: { documentId: string; sha256: Buffer },
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ sha256: Buffer }>`
    update hand_offs h set arrived_at = coalesce(h.arrived_at, now()),
      document_id = coalesce(h.document_id, ${arrived.documentId}::uuid),
      received_sha256 = coalesce(h.received_sha256, ${arrived.sha256}::bytea)
    from users u
    where h.user_id = ${userId} and h.id = ${id} and u.id = h.user_id and u.is_active
    returning h.received_sha256 as sha256`.execute(tx)
  return rows[0]?.sha256
}
