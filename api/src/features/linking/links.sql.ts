import type { Role } from '@guidon/contract/account'
import { LINKS_LISTED_MAX } from '@guidon/contract/links'
import type { LinkToConfirm } from '@guidon/contract/links'
import type { AskedLink } from '../../crm/links/links.ts'
import { isoTime } from '../../db/case-rules.ts'
import { statement } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'

const selectAsked = statement<LinkToConfirm>(`
  select l.id, u.first_name || ' ' || u.last_name as "accountName", u.email as "accountEmail",
    nullif(concat_ws(' ', c.first_name, c.last_name), '') as "contactName",
    l.contact_id as "contactId", l.question, ${isoTime('l.asked_at')} as "askedAt"
  from links l join users u on u.id = l.user_id
  left join crm_contact c on c.id = l.contact_id and not c.deleted
  where l.question is not null and (u.role = 'USER' or $1 = 'ADMIN')
  order by l.asked_at, l.id limit ${LINKS_LISTED_MAX}`)

const countAsked = statement<{ count: number }>(`
  select count(*)::int as count from links l join users u on u.id = l.user_id
  where l.question is not null and (u.role = 'USER' or $1 = 'ADMIN')`)

const selectOldest = statement<{ seconds: number }>(`
  select coalesce(extract(epoch from now() - min(asked_at))::int, 0) as seconds
  from links where question is not null`)

export const oldestAskedSeconds = async (db: Queryable) => (await selectOldest(db))[0]!.seconds

/** Staff see those of veterans, administrators also those of colleagues. */
export async function askedLinks(db: Queryable, role: Role) {
  const [links, [total]] = await Promise.all([selectAsked(db, role), countAsked(db, role)])
  return { links, total: total!.count }
}

export interface AskedDetails extends Omit<AskedLink, 'question' | 'state'> {
  state: AskedLink['state'] | 'ended'
  question: AskedLink['question'] | null
  askedAt: string | null
  fromContactId: string | null
}

const selectLink = statement<AskedDetails>(`
  select id, user_id as "userId", contact_id as "contactId", origin, state, question,
    ${isoTime('asked_at')} as "askedAt", from_contact_id as "fromContactId"
  from links where id = $1`)

export async function findLink(db: Queryable, id: string): Promise<AskedDetails | undefined> {
  const [link] = await selectLink(db, id)
  return link
}

interface Person {
  id: string
  role: Role
  firstName: string
  lastName: string
  email: string
  phone: string
  state: string
  emailVerifiedAt: string
  contactId: string | null
  boxFolderId: string | null
}

const selectAccount = statement<Person>(`
  select u.id, u.role, u.first_name as "firstName", u.last_name as "lastName", u.email, u.phone, u.state,
    ${isoTime('u.email_verified_at')} as "emailVerifiedAt", u.box_folder_id as "boxFolderId",
    (select contact_id from links where user_id = u.id and state in ('live', 'frozen')) as "contactId"
  from users u where u.id = $1`)

export async function findAccount(db: Queryable, userId: string): Promise<Person | undefined> {
  const [account] = await selectAccount(db, userId)
  return account
}

const selectOther = statement<{ name: string; email: string; now: boolean }>(`
  select u.first_name || ' ' || u.last_name as name, u.email, l.state in ('live', 'frozen') as now
  from links l join users u on u.id = l.user_id
  where l.contact_id = $1 and l.user_id <> $2 and l.live_at is not null
  order by l.state in ('live', 'frozen') desc, l.ended_at desc limit 1`)

/** The account that has the contact, or else the last one that had it. */
export async function otherAccountOf(db: Queryable, contactId: string, userId: string) {
  const [other] = await selectOther(db, contactId, userId)
  return other ?? null
}

/**
 * A page of live links of the provider's contacts that staff have not confirmed. `isDoubtful` leaves out most of those
 * that the rule would make again: it is called for each of the others.
 */
const selectUnconfirmed = statement<{
  id: string
  userId: string
  contactId: string
  isDoubtful: boolean
}>(`
  select l.id, l.user_id as "userId", l.contact_id as "contactId",
    not u.is_active or c.deceased is true or c.email is distinct from u.email
      or (lower(btrim(c.last_name)) is distinct from lower(u.last_name)
        and right(regexp_replace(c.phone, '\\D', '', 'g'), 10) is distinct from u.phone)
      or exists (select from crm_contact o where o.email = u.email and o.id <> c.id and not o.deleted)
      as "isDoubtful"
  from (select * from links
    where state = 'live' and origin <> 'portal' and question is null and decision is null
      and id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
    order by id limit 2000) as l
  join users u on u.id = l.user_id
  left join crm_contact c on c.id = l.contact_id and not c.deleted
  order by l.id`)

export function unconfirmedLinks(db: Queryable, after: string | null) {
  return selectUnconfirmed(db, after)
}
