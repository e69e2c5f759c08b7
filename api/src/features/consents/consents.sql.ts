import { shownText } from '@guidon/contract/legal'
import type { ConsentText } from '@guidon/contract/legal'
import type { Generated } from 'kysely'
import { sql } from 'kysely'
import { now, rowsOf, statement } from '../../db/database.ts'
import type { Queryable, Tx } from '../../db/database.ts'
import { consentHash } from '../../platform/consent-hash.ts'

interface Consents {
  id: Generated<string>
  user_id: string
  kind: string
  version: string
  text_hash: Buffer
  accepted_at: Generated<Date>
  withdrawn_at: Date | null
  replaced_at: Date | null
}

interface ConsentTexts {
  /** SHA-256 of `shown`. */
  hash: Buffer
  title: string
  shown: string
}

declare module '../../db/schema.ts' {
  interface Schema {
    consents: Consents
    consent_texts: ConsentTexts
  }
}

const CURRENT = 'withdrawn_at is null and replaced_at is null'

const endOlder = statement<unknown>(`
  update consents set replaced_at = now()
  where user_id = $1 and kind = $2 and ${CURRENT} and text_hash <> $3`)

const insertCurrent = statement<{ kind: string }>(`
  insert into consents (user_id, kind, version, text_hash, accepted_at)
  values ($1, $2, $3, $4, coalesce($5, now()))
  on conflict (user_id, kind) where ${CURRENT} do nothing returning kind`)

/** Records these texts as accepted. Returns the kinds of the new ones; a text accepted before keeps its time. */
export async function recordConsents(
  tx: Tx,
  userId: string,
  consents: readonly ConsentText[],
  acceptedAt?: Date,
): Promise<string[]> {
  const kinds: string[] = []
  for (const consent of consents) {
    const hash = consentHash(consent)
    await tx
      .insertInto('consent_texts')
      .values({ hash, title: consent.title, shown: shownText(consent) })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .execute()
    await endOlder(tx, userId, consent.kind, hash)
    const { kind, version } = consent
    const rows = await insertCurrent(tx, userId, kind, version, hash, acceptedAt ?? null)
    kinds.push(...rows.map((row) => row.kind))
  }
  return kinds
}

export interface CurrentConsent {
  kind: string
  version: string
  hash: Buffer
}

export async function currentConsents(db: Queryable, userId: string): Promise<CurrentConsent[]> {
  return db
    .selectFrom('consents')
    .select(['kind', 'version', 'text_hash as hash'])
    .where('user_id', '=', userId)
    .where('withdrawn_at', 'is', null)
    .where('replaced_at', 'is', null)
    .execute()
}

const selectWait = statement<{ seconds: number }>(`
  select ceil(extract(epoch from accepted_at + interval '1 day' - now()))::int as seconds
  from consents where user_id = $1 and kind = any($2::text[]) and accepted_at > now() - interval '1 day'
  order by accepted_at desc offset $3 limit 1`)

/** How long an account must wait that accepted these kinds more than `max` times within a day; otherwise 0. */
export async function secondsOverLimit(
  tx: Tx,
  userId: string,
  kinds: readonly string[],
  max: number,
): Promise<number> {
  const [row] = await selectWait(tx, userId, kinds, max)
  return row?.seconds ?? 0
}

/** The account's US state, and when it signed up: null if an operator created it. */
export function signUpOf(db: Queryable, userId: string) {
  return db
    .selectFrom('users')
    .select(['state', 'signed_up_at as signedUpAt'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Returns false if the account has no current consent of this kind. */
export async function withdrawConsentOf(db: Queryable, userId: string, kind: string) {
  const { numUpdatedRows } = await db
    .updateTable('consents')
    .set({ withdrawn_at: now })
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('withdrawn_at', 'is', null)
    .where('replaced_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The veteran is not asked again in any open session. */
export async function clearConsentsDue(db: Queryable, userId: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ consents_due: false })
    .where('user_id', '=', userId)
    .where('consents_due', '=', true)
    .execute()
}

export interface GivenRow {
  id: string
  kind: string
  version: string
  title: string
  shown: string
  acceptedAt: string
  withdrawnAt: string | null
  replacedAt: string | null
}

const utc = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

const selectGiven = statement<GivenRow>(`
  select consents.id, kind, version, title, shown, ${utc('accepted_at')} as "acceptedAt",
    ${utc('withdrawn_at')} as "withdrawnAt", ${utc('replaced_at')} as "replacedAt"
  from consents join consent_texts on consent_texts.hash = text_hash
  where user_id = $1 order by accepted_at desc, consents.id desc`)

export const givenConsents = (db: Queryable, userId: string): Promise<GivenRow[]> =>
  selectGiven(db, userId)

export function consentRecords(tx: Tx, userId: string) {
  return rowsOf(
    tx,
    sql`select kind, version, shown as "text", encode(text_hash, 'hex') as "textSha256",
        accepted_at as "acceptedAt", withdrawn_at as "withdrawnAt", replaced_at as "replacedAt"
      from consents join consent_texts on consent_texts.hash = text_hash
      where user_id = ${userId} order by accepted_at, consents.id`,
  )
}
