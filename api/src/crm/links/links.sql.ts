import type { LinkOrigin, LinkQuestion } from '@guidon/contract/links'
import { sql } from 'kysely'
import type { Generated } from 'kysely'
import { now, statement } from '../../db/database.ts'
import type { Queryable, Tx } from '../../db/database.ts'
import { isUuid } from '../../platform/uuid.ts'

/** The bonds between accounts and contacts of the CRM. `crm/links/` decides about them; here are the queries. */

/** A row of the table. */
interface Links {
  id: Generated<string>
  user_id: string
  contact_id: string
  origin: LinkOrigin
  state: 'waiting' | 'live' | 'frozen' | 'ended'
  question: LinkQuestion | null
  asked_at: Date | null
  from_contact_id: string | null
  created_at: Generated<Date>
  live_at: Date | null
  decided_by: string | null
  decision: 'confirmed' | 'refused' | null
  decided_at: Date | null
  decision_reason: string | null
  ended_at: Date | null
}

declare module '../../db/schema.ts' {
  interface Schema {
    links: Links
  }
}

/** Of a row of `links`: the contact belongs to the account, which sees nothing of it while the link is frozen. */
export const IS_CURRENT = `links.state in ('live', 'frozen')`
/** Whether the account has a contact that the provider had before. */
export const isLinked = (userId: string) =>
  `exists (select from links where user_id = ${userId} and ${IS_CURRENT} and origin <> 'portal')`

/** While staff are asked one of these about a contact, it shows nothing new. The trigger of the migration has them, too. */
export const HOLDING = ['merged', 'moved', 'notMe'] as const satisfies LinkQuestion[]

/** Of an outbox entry: the account's contact is gone, or is not its own. The entry waits until staff link another one. */
export const needsLink = (entry: string) => `exists (
  select from links left join crm_contact on crm_contact.id = links.contact_id
  where links.user_id = ${entry}.user_id
    and (links.state = 'frozen' or links.state = 'live' and crm_contact.deleted))`

export interface CurrentLink {
  id: string
  contactId: string
  origin: LinkOrigin
  state: 'live' | 'frozen'
  question: LinkQuestion | null
}

const selectCurrent = statement<CurrentLink>(`
  select id, contact_id as "contactId", origin, state, question from links
  where user_id = $1 and ${IS_CURRENT}`)

export async function currentLink(db: Queryable, userId: string): Promise<CurrentLink | undefined> {
  const [link] = await selectCurrent(db, userId)
  return link
}

/** The contact that belongs to the account. */
export async function contactOf(db: Queryable, userId: string): Promise<string | undefined> {
  return (await currentLink(db, userId))?.contactId
}

const selectHolder = statement<{ userId: string; role: string; linkId: string; liveAt: Date }>(`
  select user_id as "userId", role, links.id as "linkId", live_at as "liveAt"
  from links join users on users.id = user_id where contact_id = $1 and ${IS_CURRENT}`)

/** The account that the contact belongs to. */
export async function holderOf(db: Queryable, contactId: string) {
  const [holder] = await selectHolder(db, contactId)
  return holder
}

/** What the portal knows of a contact beside its fields in the CRM. */
export interface ContactHistory {
  /** The account that it belongs to, or that the CRM names and has no contact yet. */
  holder: string | null
  /** Another account had it before, or the CRM names one, or an account with it was erased. */
  hadOther: boolean
  /** Staff or the operator ended the link between these two, or refused it. */
  wasEnded: boolean
}

/** `portalUserId` as the CRM has it. */
export async function historyOf(
  db: Queryable,
  userId: string,
  { id: contactId, portalUserId }: { id: string; portalUserId: string | null },
): Promise<ContactHistory> {
  const named = isUuid(portalUserId ?? '') ? portalUserId : null
  const { rows } = await sql<ContactHistory>`
    select coalesce(
        (select user_id from links where contact_id = ${contactId} and state in ('live', 'frozen')),
        (select id from users where id = ${named}::uuid and not has_contact and not exists (
          select from links where user_id = users.id and contact_id = ${contactId} and state = 'ended'))
      ) as holder,
      ${portalUserId !== null && portalUserId !== userId}::boolean
        or exists (select from erasures where contact_id = ${contactId})
        or exists (select from links where contact_id = ${contactId} and user_id <> ${userId}
          and state = 'ended' and live_at is not null) as "hadOther",
      exists (select from links where contact_id = ${contactId} and user_id = ${userId}
        and state = 'ended' and decision is distinct from 'confirmed') as "wasEnded"`.execute(db)
  return rows[0]!
}

/** Whether staff or the operator ended the link between these two, or refused it. */
export async function wasEnded(db: Queryable, userId: string, contactId: string): Promise<boolean> {
  return (await historyOf(db, userId, { id: contactId, portalUserId: null })).wasEnded
}

export interface NewLink {
  userId: string
  contactId: string
  origin: LinkOrigin
}

/** Fails if the contact belongs to another account. End the account's current link first. */
export async function insertLive(tx: Tx, link: NewLink, decided?: Decided): Promise<string> {
  const { id } = await tx
    .insertInto('links')
    .values({
      user_id: link.userId,
      contact_id: link.contactId,
      origin: link.origin,
      state: 'live',
      live_at: now,
      ...(decided && {
        decided_by: decided.by,
        decision: 'confirmed',
        decided_at: now,
        decision_reason: decided.reason,
      }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Who of the staff decided, and why. */
export interface Decided {
  by: string
  reason: string
}

/** Returns false if staff were asked the same before, and have not answered. */
export async function insertWaiting(
  tx: Tx,
  { userId, contactId, origin }: NewLink,
  { question, from }: { question: LinkQuestion; from?: string | undefined },
): Promise<boolean> {
  const { rows } = await sql`
    insert into links (user_id, contact_id, origin, state, question, asked_at, from_contact_id)
    values (${userId}, ${contactId}, ${origin}, 'waiting', ${question}, now(), ${from ?? null})
    on conflict (user_id, contact_id) where state = 'waiting' do nothing returning id`.execute(tx)
  return rows.length > 0
}

/** Returns the account; undefined if the link has a question already. Doubts of the nightly check are replaced. */
export async function askAbout(
  tx: Tx,
  linkId: string,
  { question, from }: { question: LinkQuestion; from?: string | undefined },
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    update links set question = ${question}, asked_at = now(), from_contact_id = ${from ?? null}
    where id = ${linkId} and state <> 'ended' and (question is null or question = 'ruleChanged')
    returning user_id as "userId"`.execute(tx)
  return rows[0]?.userId
}

/** Returns false if it has ended already. */
export async function endLink(tx: Tx, linkId: string, refused?: Decided): Promise<boolean> {
  const row = await tx
    .updateTable('links')
    .set({
      state: 'ended',
      ended_at: now,
      question: null,
      asked_at: null,
      ...(refused && {
        decided_by: refused.by,
        decision: 'refused',
        decided_at: now,
        decision_reason: refused.reason,
      }),
    })
    .where('id', '=', linkId)
    .where('state', '<>', 'ended')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Of an account that was linked otherwise: nobody needs to answer any more. */
export async function endWaiting(tx: Tx, userId: string): Promise<void> {
  await sql`update links set state = 'ended', ended_at = now(), question = null, asked_at = null
    where user_id = ${userId} and state = 'waiting'`.execute(tx)
}

/** A link that stays, or is live again. */
export async function keepLink(tx: Tx, linkId: string, decided: Decided): Promise<void> {
  await tx
    .updateTable('links')
    .set({
      state: 'live',
      question: null,
      asked_at: null,
      from_contact_id: null,
      decided_by: decided.by,
      decision: 'confirmed',
      decided_at: now,
      decision_reason: decided.reason,
    })
    .where('id', '=', linkId)
    .execute()
}

/** Undefined if the link has ended, or is frozen already. */
export async function freezeLink(tx: Tx, linkId: string) {
  const { rows } = await sql<{ userId: string; contactId: string }>`
    update links set state = 'frozen', question = 'notMe', asked_at = now()
    where id = ${linkId} and state = 'live'
    returning user_id as "userId", contact_id as "contactId"`.execute(tx)
  return rows[0]
}

/** The contacts are there again, as after an undelete in the CRM. */
export async function clearContactGone(tx: Tx, contactIds: readonly string[]): Promise<void> {
  await sql`update links set question = null, asked_at = null
    where contact_id = any(${contactIds}::text[]) and state = 'live' and question = 'contactGone'`.execute(
    tx,
  )
}

/** Undefined if there is no such link, or it has ended. */
export async function ownerOfLink(db: Queryable, linkId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('links')
    .select('user_id as userId')
    .where('id', '=', linkId)
    .where('state', 'in', ['live', 'frozen'])
    .executeTakeFirst()
  return row?.userId
}
