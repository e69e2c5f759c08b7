import type { VerificationType } from '@guidon/contract/auth'
import {
  CHALLENGE_MINUTES,
  CODE_MINUTES,
  CODE_TRIES,
  RESEND_COOLDOWN_SECONDS,
} from '@guidon/contract/limits'
import type { Generated } from 'kysely'
import { sql } from 'kysely'
import { eventInserts } from '../../db/audit-events.ts'
import type { AuditEvent } from '../../db/audit-events.ts'
import { minutesFromNow, now } from '../../db/database.ts'
import type { Queryable, Tx } from '../../db/database.ts'
import { isOnDay } from '../../db/days.ts'
import { REPEAT_SECONDS } from '../../platform/repeat.ts'
import type { TokenSearch } from '../../platform/tokens.ts'
import { emailIsTaken } from './sign-ups.sql.ts'

interface Challenges {
  id: Generated<string>
  token_hash: Buffer
  user_id: string | null
  sign_up_id: string | null
  purpose: VerificationType
  decoy: Generated<boolean>
  sends: Generated<number>
  sent_at: Generated<Date>
  code_hash: Buffer | null
  code_expires_at: Date | null
  code_tries: Generated<number>
  consumed_at: Date | null
  expires_at: Date
  created_at: Generated<Date>
}

declare module '../../db/schema.ts' {
  interface Schema {
    challenges: Challenges
  }
}

interface NewChallenge {
  /** A UUIDv7 of the day that the token starts with, which is the day of the row's partition. */
  id: string
  tokenHash: Buffer
}

/**
 * Returns false if the account's password was changed, or the account deactivated, since it was read.
 * The row lock makes concurrent changes of the account wait. Also writes the audit event: one statement keeps
 * sign-ins fast.
 */
export async function insertSignInChallenge(
  tx: Tx,
  challenge: NewChallenge & { account: { id: string; passwordHash: string } },
): Promise<boolean> {
  const { id, tokenHash, account } = challenge
  const { rows } = await sql`
    with account as (select id from users
      where id = ${account.id} and password_hash = ${account.passwordHash} and is_active for share),
    ${eventInserts({ event: 'sign_in_started', subjectId: account.id })}
    insert into challenges (id, token_hash, user_id, purpose, expires_at)
    select ${id}, ${tokenHash}, id, 'login', ${minutesFromNow(CHALLENGE_MINUTES)} from account
    returning id`.execute(tx)
  return rows.length > 0
}

/** The challenge of a taken email is a decoy: no code solves it, but the responses are the same as for others. */
export async function insertSignUpChallenge(
  tx: Tx,
  challenge: NewChallenge & { signUpId: string; existingAccountId: string | null },
): Promise<void> {
  const { id, tokenHash, signUpId, existingAccountId } = challenge
  const event: AuditEvent = existingAccountId ? 'sign_up_with_taken_email' : 'signed_up'
  await sql`
    with ${eventInserts({ event, subjectId: existingAccountId ?? signUpId })}
    insert into challenges (id, token_hash, sign_up_id, purpose, decoy, expires_at)
    values (${id}, ${tokenHash}, ${signUpId}, 'email', ${existingAccountId !== null},
      ${minutesFromNow(CHALLENGE_MINUTES)})`.execute(tx)
}

/**
 * Finds the open challenge with this token, email and purpose. A decoy ignores the state of the account, so
 * that the response does not reveal whether it is deactivated.
 */
export async function findChallenge(
  db: Queryable,
  wanted: { search: TokenSearch; email: string; purpose: VerificationType },
) {
  return db
    .selectFrom('challenges')
    .leftJoin('users', 'users.id', 'challenges.user_id')
    .leftJoin('sign_ups', 'sign_ups.id', 'challenges.sign_up_id')
    .select([
      'challenges.id',
      'challenges.user_id as userId',
      'challenges.sign_up_id as signUpId',
      'challenges.purpose',
      'challenges.decoy',
      sql<number>`greatest(0, ceil(extract(epoch from challenges.sent_at - now()) + ${RESEND_COOLDOWN_SECONDS}))::int`.as(
        'cooldownSeconds',
      ),
    ])
    .where(sql<boolean>`${sql.raw(isOnDay('challenges', wanted.search.day))}`)
    .where(sql<boolean>`challenges.token_hash = any(${wanted.search.hashes}::bytea[])`)
    .where('challenges.purpose', '=', wanted.purpose)
    .where(sql<boolean>`coalesce(users.email, sign_ups.email) = ${wanted.email}`)
    .where(sql<boolean>`(users.is_active or challenges.decoy or challenges.user_id is null)`)
    .where('challenges.consumed_at', 'is', null)
    .where('challenges.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

/** A challenge whose code was right a moment ago. */
export async function findSolved(
  db: Queryable,
  wanted: { search: TokenSearch; email: string; purpose: VerificationType },
) {
  return db
    .selectFrom('challenges')
    .innerJoin('users', 'users.id', 'challenges.user_id')
    .select(['challenges.id', 'users.id as userId', 'challenges.code_hash as codeHash'])
    .where(sql<boolean>`${sql.raw(isOnDay('challenges', wanted.search.day))}`)
    .where(sql<boolean>`challenges.token_hash = any(${wanted.search.hashes}::bytea[])`)
    .where('challenges.purpose', '=', wanted.purpose)
    .where('users.email', '=', wanted.email)
    .where(sql<boolean>`challenges.consumed_at > now() - make_interval(secs => ${REPEAT_SECONDS})`)
    .executeTakeFirst()
}

/** Voids the current code and returns the number of the next one, or undefined during the cooldown. */
export async function countResend(db: Queryable, id: string): Promise<number | undefined> {
  const row = await db
    .updateTable('challenges')
    .set((eb) => ({
      sends: eb('sends', '+', 1),
      sent_at: sql<Date>`now()`,
      code_hash: null,
      code_expires_at: null,
      code_tries: 0,
    }))
    .where('id', '=', id)
    .where('sent_at', '<=', sql<Date>`now() - make_interval(secs => ${RESEND_COOLDOWN_SECONDS})`)
    .returning('sends')
    .executeTakeFirst()
  return row?.sends
}

interface CodeRecipient {
  email: string
  state: string
  purpose: VerificationType
  decoy: boolean
  hash: Buffer | null
  /** Null for a sign-up. */
  userId: string | null
}

/**
 * Stores the code's hash if no newer code was requested, and returns the recipient. A retried job keeps the
 * hash that it stored before, also if the key was changed. Called right before each try to send, so that a
 * delayed code does not arrive expired. A sign-up whose email got an account meanwhile becomes a decoy.
 */
export async function setCode(
  db: Queryable,
  code: { challengeId: string; send: number; hashes: Buffer[] },
): Promise<CodeRecipient | undefined> {
  const { rows } = await sql<CodeRecipient>`
    with owner as (
      select challenges.id, coalesce(users.email, sign_ups.email) as email,
        coalesce(users.state, sign_ups.state) as state,
        challenges.decoy or (sign_ups.id is not null and ${emailIsTaken}) as decoy
      from challenges
      left join users on users.id = challenges.user_id
      left join sign_ups on sign_ups.id = challenges.sign_up_id
      where challenges.id = ${code.challengeId})
    update challenges set decoy = owner.decoy,
      code_hash = case when owner.decoy then null
        when code_hash = any(${code.hashes}::bytea[]) then code_hash
        else ${code.hashes[0]}::bytea end,
      code_expires_at = ${minutesFromNow(CODE_MINUTES)}
    from owner
    where challenges.id = ${code.challengeId} and challenges.sends = ${code.send}
      and challenges.consumed_at is null and challenges.expires_at > now()
    returning owner.email, owner.state, challenges.purpose, challenges.decoy, challenges.code_hash as hash,
      challenges.user_id as "userId"
  `.execute(db)
  return rows[0]
}

/** Why `setCode` returned no recipient. */
export async function findCodeOutcome(
  db: Queryable,
  code: { challengeId: string; send: number },
): Promise<'sent' | 'superseded' | 'expired'> {
  const challenge = await db
    .selectFrom('challenges')
    .select(['sends', 'consumed_at as consumedAt'])
    .where('id', '=', code.challengeId)
    .executeTakeFirst()
  // A newer code was requested, or the password or the account was changed.
  if (!challenge || challenge.sends !== code.send) return 'superseded'
  // The code was entered, so it was sent before the worker died.
  return challenge.consumedAt ? 'sent' : 'expired'
}

/** Extends the challenge, so that a code that was sent late is valid for its whole time. */
export async function extendForCode(db: Queryable, challengeId: string): Promise<void> {
  const longest = CHALLENGE_MINUTES + CODE_MINUTES
  await db
    .updateTable('challenges')
    .set({
      expires_at: sql<Date>`greatest(expires_at,
        least(code_expires_at, created_at + make_interval(mins => ${longest})))`,
    })
    .where('id', '=', challengeId)
    .execute()
}

/**
 * Compares and consumes in one statement, so that a code opens one session even if it is entered many times
 * at once. Each comparison uses up one try. Returns `void` if the code is expired, consumed or out of tries.
 */
export async function consumeCode(
  db: Queryable,
  entered: { challengeId: string; hashes: Buffer[] },
): Promise<'right' | 'wrong' | 'void'> {
  const row = await db
    .updateTable('challenges')
    .set((eb) => ({
      code_tries: eb('code_tries', '+', 1),
      consumed_at: sql<Date | null>`case when code_hash = any(${entered.hashes}::bytea[]) then now() end`,
    }))
    .where('id', '=', entered.challengeId)
    .where('consumed_at', 'is', null)
    .where('code_expires_at', '>', sql<Date>`now()`)
    .where('code_tries', '<', CODE_TRIES)
    .returning('consumed_at')
    .executeTakeFirst()
  if (!row) return 'void'
  return row.consumed_at === null ? 'wrong' : 'right'
}

export async function endChallengesOf(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('challenges')
    // Without a hash no code matches, even in a request that has already found the challenge. The new number
    // cancels a code that is still queued.
    .set((eb) => ({ expires_at: now, code_hash: null, sends: eb('sends', '+', 1) }))
    .where('user_id', '=', userId)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .execute()
}
