import type { Role } from '@guidon/contract/account'
import { ACCESS_TOKEN_MINUTES, IDLE_MINUTES, SESSION_HOURS } from '@guidon/contract/limits'
import { sql } from 'kysely'
import type { TokenSearch } from '../platform/tokens.ts'
import { minutesFromNow, now, statement } from './database.ts'
import type { Queryable, Tx } from './database.ts'
import { isOnDay } from './days.ts'
import { isUnavailable } from './unavailable.ts'
import type { SessionUser } from './users.ts'

export interface TokenRow {
  /** Has the day that the tokens name. */
  tokenId: string
  accessHash: Buffer
  refreshHash: Buffer
}

export interface NewSession {
  userId: string
  role: Role
  consentsDue: boolean
  emailReachable: boolean
}

/** `last_seen_at` is written at most once a minute, to save a write on every request. */
const ONE_MINUTE_AGO = `now() - interval '1 minute'`

export async function insertSession(tx: Tx, session: TokenRow & NewSession): Promise<string> {
  const { id } = await tx
    .insertInto('sessions')
    .values({
      user_id: session.userId,
      idle_limit: `${IDLE_MINUTES[session.role]} minutes`,
      expires_at: minutesFromNow(SESSION_HOURS[session.role] * 60),
      consents_due: session.consentsDue,
      email_came_back: !session.emailReachable,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertTokens(tx, { ...session, sessionId: id })
  return id
}

export async function insertTokens(
  tx: Tx,
  tokens: TokenRow & { sessionId: string },
): Promise<void> {
  await tx
    .insertInto('session_tokens')
    .values({
      id: tokens.tokenId,
      session_id: tokens.sessionId,
      access_hash: tokens.accessHash,
      access_expires_at: minutesFromNow(ACCESS_TOKEN_MINUTES),
      refresh_hash: tokens.refreshHash,
    })
    .execute()
}

const FROM_LIVE_SESSIONS = `
  from session_tokens as token
  join sessions as session on session.id = token.session_id
  join users as account on account.id = session.user_id
  where session.revoked_at is null and session.expires_at > now()
    and session.last_seen_at > now() - session.idle_limit and account.is_active`

export interface LiveSession {
  sessionId: string
  user: SessionUser
}

/** More than the days that a token may name, each with one hash or several. */
const STATEMENTS_MAX = 32

/**
 * There are several hashes only during a key rotation; one hash gets a simpler plan. The day is part of the text: as a
 * parameter, PostgreSQL would plan each execution anew, or lock every partition.
 */
function byHash<Row>(text: (condition: string) => string, column: string) {
  const statements = new Map<string, ReturnType<typeof statement<Row>>>()
  const statementFor = ({ hashes, day }: TokenSearch) => {
    const comparison = hashes.length === 1 ? '= $1' : '= any($1::bytea[])'
    const key = `${comparison} ${day}`
    let found = statements.get(key)
    if (!found) {
      if (statements.size >= STATEMENTS_MAX) statements.clear()
      found = statement<Row>(text(`${isOnDay('token', day)} and ${column} ${comparison}`))
      statements.set(key, found)
    }
    return found
  }
  return (db: Queryable, search: TokenSearch) =>
    statementFor(search)(db, search.hashes.length === 1 ? search.hashes[0] : search.hashes)
}

const selectByAccess = byHash<SessionUser & { sessionId: string; seenLongAgo: boolean }>(
  (condition) => `
  select session.id as "sessionId",
    session.last_seen_at < ${ONE_MINUTE_AGO} as "seenLongAgo",
    account.id, account.role, account.email, account.first_name as "firstName",
    account.last_name as "lastName", account.phone, account.state,
    session.consents_due as "consentsDue", not session.email_came_back as "emailReachable"
  ${FROM_LIVE_SESSIONS} and ${condition} and token.access_expires_at > now()`,
  'token.access_hash',
)

/**
 * Read on every request, so that a logout or a deactivation takes effect at once. A request that a timer sent does not
 * count as use, or an open screen would never be idle.
 */
export async function findByAccess(
  db: Queryable,
  access: TokenSearch,
  { countsAsUse }: { countsAsUse: boolean },
): Promise<LiveSession | undefined> {
  const [row] = await selectByAccess(db, access)
  if (!row) return undefined
  const { sessionId, seenLongAgo, ...user } = row
  if (seenLongAgo && countsAsUse) {
    // With a full disk, PostgreSQL still reads.
    await touch(db, sessionId).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error
    })
  }
  return { sessionId, user }
}

/** Whether the session was opened, by password and code, at most so many minutes ago. */
export async function isRecentSession(
  db: Queryable,
  sessionId: string,
  minutes: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${minutes})`)
    .executeTakeFirst()
  return row !== undefined
}

async function touch(db: Queryable, sessionId: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('id', '=', sessionId)
    .where('last_seen_at', '<', sql.raw<Date>(ONE_MINUTE_AGO))
    .execute()
}

const selectByRefresh = byHash<{ sessionId: string; tokenId: string; userId: string }>(
  (condition) => `
  select session.id as "sessionId", token.id as "tokenId", session.user_id as "userId"
  ${FROM_LIVE_SESSIONS} and ${condition} for update of session`,
  'token.refresh_hash',
)

/** Locks the session, so that concurrent refreshes of it run one after the other. */
export async function lockByRefresh(tx: Tx, refresh: TokenSearch) {
  const [row] = await selectByRefresh(tx, refresh)
  return row
}

/** Call it after locking the session: before, another refresh could still retire the token. */
export async function tokenState(tx: Tx, tokenId: string) {
  return tx
    .selectFrom('session_tokens')
    .select(['used_at as usedAt', 'retired_at as retiredAt'])
    .where('id', '=', tokenId)
    .executeTakeFirstOrThrow()
}

/** The count of valid tokens that were never used for a refresh, and the seconds until the first of them expires. */
export async function unusedTokens(tx: Tx, sessionId: string) {
  return tx
    .selectFrom('session_tokens')
    .select((eb) => [
      eb.fn.countAll<string>().as('count'),
      sql<number>`greatest(1, ceil(extract(epoch from min(access_expires_at) - now())))::int`.as(
        'firstExpiresInSeconds',
      ),
    ])
    .where('session_id', '=', sessionId)
    .where('used_at', 'is', null)
    .where('retired_at', 'is', null)
    .where('access_expires_at', '>', now)
    .executeTakeFirstOrThrow()
}

/** The first use of a refresh token retires all other tokens of its session. */
export async function useToken(
  tx: Tx,
  session: { sessionId: string; tokenId: string },
): Promise<void> {
  await tx
    .updateTable('session_tokens')
    .set((eb) => ({
      used_at: eb.case().when('id', '=', session.tokenId).then(now).else(eb.ref('used_at')).end(),
      retired_at: eb.case().when('id', '=', session.tokenId).then(null).else(now).end(),
    }))
    .where('session_id', '=', session.sessionId)
    .where('retired_at', 'is', null)
    .execute()
  await touch(tx, session.sessionId)
}

export async function revokeSession(db: Queryable, sessionId: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Either token is enough, because the access token may have expired. Returns the ids of the users. */
export async function revokeByTokens(db: Queryable, hashes: Buffer[]): Promise<string[]> {
  const ended = await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('revoked_at', 'is', null)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('session_tokens')
        .select('session_id')
        .where((or) =>
          or.or([
            sql<boolean>`access_hash = any(${hashes}::bytea[])`,
            sql<boolean>`refresh_hash = any(${hashes}::bytea[])`,
          ]),
        ),
    )
    .returning('user_id as userId')
    .execute()
  return ended.map(({ userId }) => userId)
}

export async function revokeAllOf(db: Queryable, userId: string, except?: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .$if(except !== undefined, (query) => query.where('id', '<>', except ?? ''))
    .execute()
}
