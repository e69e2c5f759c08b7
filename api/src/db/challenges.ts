import type { VerificationType } from '@guidon/contract/auth'
import {
  CHALLENGE_MINUTES,
  CODE_MINUTES,
  CODE_TRIES,
  RESEND_COOLDOWN_SECONDS,
} from '@guidon/contract/limits'
import { sql } from 'kysely'
import { eventInserts } from './audit-events.ts'
import type { AuditEvent } from './audit-events.ts'
import { minutesFromNow } from './database.ts'
import type { Queryable } from './database.ts'

/** With its line in the log, in one statement: this stands in the way of every sign-in. */
export async function insertChallenge(
  db: Queryable,
  challenge: {
    tokenHash: Buffer
    userId: string
    purpose: VerificationType
    decoy: boolean
    event: AuditEvent
  },
): Promise<string> {
  const { tokenHash, userId, purpose, decoy, event } = challenge
  const { rows } = await sql<{ id: string }>`
    with ${eventInserts({ event, subjectId: userId })}
    insert into challenges (token_hash, user_id, purpose, decoy, expires_at)
    values (${tokenHash}, ${userId}, ${purpose}, ${decoy}, ${minutesFromNow(CHALLENGE_MINUTES)})
    returning id`.execute(db)
  return rows[0]!.id
}

/** The challenge that this token opens, if it is still open and was made for this email and purpose. */
export async function findChallenge(
  db: Queryable,
  wanted: { tokenHashes: Buffer[]; email: string; purpose: VerificationType },
) {
  return db
    .selectFrom('challenges')
    .innerJoin('users', 'users.id', 'challenges.user_id')
    .select([
      'challenges.id',
      'challenges.user_id as userId',
      'users.role',
      'challenges.decoy',
      sql<number>`greatest(0, ceil(extract(epoch from challenges.sent_at - now()) + ${RESEND_COOLDOWN_SECONDS}))::int`.as(
        'cooldownSeconds',
      ),
    ])
    .where(sql<boolean>`challenges.token_hash = any(${wanted.tokenHashes}::bytea[])`)
    .where('challenges.purpose', '=', wanted.purpose)
    .where('users.email', '=', wanted.email)
    .where('users.is_active', '=', true)
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
 * before each try to send, because a code that waited for the relay must not arrive expired.
 */
export async function setCode(
  db: Queryable,
  code: { challengeId: string; send: number; hashes: Buffer[] },
): Promise<
  | {
      userId: string
      email: string
      purpose: VerificationType
      decoy: boolean
      hash: Buffer | null
    }
  | undefined
> {
  return db
    .updateTable('challenges')
    .from('users')
    .set({
      code_hash: sql<Buffer | null>`case when decoy then null
        when code_hash = any(${code.hashes}::bytea[]) then code_hash
        else ${code.hashes[0]}::bytea end`,
      code_expires_at: minutesFromNow(CODE_MINUTES),
    })
    .whereRef('users.id', '=', 'challenges.user_id')
    .where('challenges.id', '=', code.challengeId)
    .where('challenges.sends', '=', code.send)
    .where('challenges.consumed_at', 'is', null)
    .where('challenges.expires_at', '>', sql<Date>`now()`)
    .returning([
      'users.id as userId',
      'users.email',
      'challenges.purpose',
      'challenges.decoy',
      'challenges.code_hash as hash',
    ])
    .executeTakeFirst()
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
  // An open challenge is deleted only by a newer sign-up with the same email, or with its account.
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

/** Earlier sign-ups of the same kind end here: their holder must not verify what a later one typed. */
export async function voidSignUps(db: Queryable, userId: string, decoy: boolean): Promise<void> {
  await db
    .deleteFrom('challenges')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'email')
    .where('decoy', '=', decoy)
    .execute()
}
