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
import { signUpIsTaken } from './sign-ups.sql.ts'

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

/**
 * For an account whose password was right: undefined where it was changed or deactivated since it was read.
 * The lock makes a change that is under way come before or after, never between. With its event in the log,
 * in one statement, because every sign-in waits for it.
 */
export async function insertSignInChallenge(
  tx: Tx,
  challenge: { tokenHash: Buffer; account: { id: string; passwordHash: string } },
): Promise<string | undefined> {
  const { tokenHash, account } = challenge
  const { rows } = await sql<{ id: string }>`
    with held as (select id from users
      where id = ${account.id} and password_hash = ${account.passwordHash} and is_active for share),
    ${eventInserts({ event: 'sign_in_started', subjectId: account.id })}
    insert into challenges (token_hash, user_id, purpose, expires_at)
    select ${tokenHash}, id, 'login', ${minutesFromNow(CHALLENGE_MINUTES)} from held
    returning id`.execute(tx)
  return rows[0]?.id
}

/** No code opens one of a taken email; everything else about it is alike. */
export async function insertSignUpChallenge(
  tx: Tx,
  challenge: { tokenHash: Buffer; signUpId: string; takenBy: string | null },
): Promise<string> {
  const { tokenHash, signUpId, takenBy } = challenge
  const event: AuditEvent = takenBy ? 'sign_up_with_taken_email' : 'signed_up'
  const { rows } = await sql<{ id: string }>`
    with ${eventInserts({ event, subjectId: takenBy ?? signUpId })}
    insert into challenges (token_hash, sign_up_id, purpose, decoy, expires_at)
    values (${tokenHash}, ${signUpId}, 'email', ${takenBy !== null},
      ${minutesFromNow(CHALLENGE_MINUTES)})
    returning id`.execute(tx)
  return rows[0]!.id
}

/**
 * The challenge that this token opens, if it is still open and was made for this email and purpose. A decoy
 * does not look at the account: that it is deactivated would be told.
 */
export async function findChallenge(
  db: Queryable,
  wanted: { tokenHashes: Buffer[]; email: string; purpose: VerificationType },
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
    .where(sql<boolean>`challenges.token_hash = any(${wanted.tokenHashes}::bytea[])`)
    .where('challenges.purpose', '=', wanted.purpose)
    .where(sql<boolean>`coalesce(users.email, sign_ups.email) = ${wanted.email}`)
    .where(sql<boolean>`(users.is_active or challenges.decoy or challenges.user_id is null)`)
    .where('challenges.consumed_at', 'is', null)
    .where('challenges.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

/**
 * Counts one more code as asked for and makes the present one void, unless it is too soon or too often.
 * Answers the number of the new code.
 */
export async function askAgain(db: Queryable, id: string): Promise<number | undefined> {
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

/**
 * Puts the code's hash in place, if this is still the code that was asked for last, and says whom to
 * mail it to. A job that is tried again finds its own hash, of whichever key, and keeps it. Called right
 * before each try to send, because a code that waited for the relay must not arrive expired. A sign-up
 * whose email got an account meanwhile is a decoy from now on.
 */
export async function setCode(
  db: Queryable,
  code: { challengeId: string; send: number; hashes: Buffer[] },
): Promise<
  { email: string; purpose: VerificationType; decoy: boolean; hash: Buffer | null } | undefined
> {
  const { rows } = await sql<{
    email: string
    purpose: VerificationType
    decoy: boolean
    hash: Buffer | null
  }>`
    with owner as (
      select challenges.id, coalesce(users.email, sign_ups.email) as email,
        challenges.decoy or (sign_ups.id is not null and ${signUpIsTaken}) as decoy
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
    where challenges.id = owner.id and challenges.sends = ${code.send}
      and challenges.consumed_at is null and challenges.expires_at > now()
    returning owner.email, challenges.purpose, challenges.decoy, challenges.code_hash as hash
  `.execute(db)
  return rows[0]
}

/** How the job of a code that `setCode` found no recipient for has ended. */
export async function findCodeOutcome(
  db: Queryable,
  code: { challengeId: string; send: number },
): Promise<'sent' | 'superseded' | 'expired'> {
  const challenge = await db
    .selectFrom('challenges')
    .select(['sends', 'consumed_at as consumedAt'])
    .where('id', '=', code.challengeId)
    .executeTakeFirst()
  // A newer code was asked for, or the password or the account changed.
  if (!challenge || challenge.sends !== code.send) return 'superseded'
  // Somebody entered it, so it was sent, though the worker died before noting that.
  return challenge.consumedAt ? 'sent' : 'expired'
}

/** A code that was mailed late is good for its whole time, even if its challenge would end before. */
export async function keepOpenForCode(db: Queryable, challengeId: string): Promise<void> {
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
 * Compares and consumes in one statement: of many right answers at once exactly one consumes, and every
 * comparison costs one of the code's tries. `void` where there is no code left to compare with.
 */
export async function consumeCode(
  db: Queryable,
  answer: { challengeId: string; hashes: Buffer[] },
): Promise<'right' | 'wrong' | 'void'> {
  const row = await db
    .updateTable('challenges')
    .set((eb) => ({
      code_tries: eb('code_tries', '+', 1),
      consumed_at: sql<Date | null>`case when code_hash = any(${answer.hashes}::bytea[]) then now() end`,
    }))
    .where('id', '=', answer.challengeId)
    .where('consumed_at', 'is', null)
    .where('code_expires_at', '>', sql<Date>`now()`)
    .where('code_tries', '<', CODE_TRIES)
    .returning('consumed_at')
    .executeTakeFirst()
  if (!row) return 'void'
  return row.consumed_at === null ? 'wrong' : 'right'
}

/** Ends the sign-ins of an account that wait for their code. */
export async function endChallengesOf(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('challenges')
    // Without its hash no code is right any more, also for a try that found the challenge open. A code that
    // waits for the relay has another number now, and is not sent.
    .set((eb) => ({ expires_at: now, code_hash: null, sends: eb('sends', '+', 1) }))
    .where('user_id', '=', userId)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .execute()
}
