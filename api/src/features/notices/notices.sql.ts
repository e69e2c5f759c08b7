import type { NoticeKind } from '@guidon/contract/notices'
import type { Generated } from 'kysely'
import { statement } from '../../db/database.ts'
import type { Queryable, Tx } from '../../db/database.ts'
import { CHANGE_EVENTS } from './decide.ts'
import type { FactKind, Facts, NoticeEvent } from './decide.ts'
import type { timesByState } from './zones.ts'

interface Notices {
  id: Generated<string>
  user_id: string
  event: NoticeEvent
  subject_id: string
  subject_version: string
  before: Facts[FactKind]
  after: Facts[FactKind]
  due_at: Date
  created_at: Generated<Date>
  delivery_id: string | null
  sending_at: Date | null
  sent_at: Date | null
  void_at: Date | null
}

declare module '../../db/schema.ts' {
  interface Schema {
    notices: Notices
  }
}

/** Of a row `u` of `users` and its contact `p`: who gets notices. */
export const MAY_GET_NOTICES = `
  u.role = 'USER' and u.is_active and u.has_contact
  and p.deceased is not true and p.deleted is not true`

export const NOT_TURNED_OFF = (kind: string) =>
  `not exists (select from notice_preferences o where o.user_id = u.id and ${kind} = any(o.off))`

interface ReadingState {
  now: Date
  isFirstLoad: boolean
  isRereading: boolean
}

const selectReadingState = statement<ReadingState>(`
  select now() as now, completed_at is null as "isFirstLoad", rereading as "isRereading"
  from crm_sync_cursor where kind = $1`)

/** How far the mirror has read a kind. */
export async function readingState(tx: Tx, kind: FactKind): Promise<ReadingState> {
  const [state] = await selectReadingState(tx, kind)
  return state ?? { now: new Date(), isFirstLoad: true, isRereading: false }
}

export interface OpenNotice {
  id: string
  subjectId: string
  event: NoticeEvent
  before: Facts[FactKind]
  after: Facts[FactKind]
}

const selectOpen = statement<OpenNotice>(`
  select id, subject_id as "subjectId", event, before, after from notices
  where subject_id = any($1::text[]) and event = any($2::text[]) and sent_at is null and void_at is null
    -- From here on, the veteran may know.
    and sending_at is null
  order by id for update`)

/** The notices about these subjects that are not sent yet, oldest first. */
export async function openNotices(
  tx: Tx,
  subjectIds: readonly string[],
): Promise<Map<string, OpenNotice[]>> {
  return Map.groupBy(await selectOpen(tx, subjectIds, CHANGE_EVENTS), ({ subjectId }) => subjectId)
}

const setVoid = statement(`
  update notices set void_at = $2::timestamptz where id = any($1::uuid[]) and sent_at is null`)

export async function voidNotices(db: Queryable, ids: readonly string[], now: Date): Promise<void> {
  await setVoid(db, ids, now)
}

export interface NewNotice {
  event: NoticeEvent
  kind: NoticeKind
  subjectId: string
  version: string
  contactId: string
  before: Facts[FactKind]
  after: Facts[FactKind]
  /** When it happened in the CRM. */
  since: Date
}

export type Times = ReturnType<typeof timesByState>

const timesAs = (alias: string) =>
  `jsonb_to_recordset($2::jsonb) as ${alias}(state text, "dueAt" timestamptz, zone text)`
const keyOf = (state: string) => `nullif(upper(trim(${state})), '')`

/**
 * Joins the times of the state where the veteran lives. The contact's address is newer than that of the sign-up, but
 * may have something else in place of a state.
 */
export const JOIN_TIMES = `
  left join ${timesAs('current')} on current.state = ${keyOf('p.state')}
  left join ${timesAs('former')} on former.state = ${keyOf('u.state')}
  cross join (select * from ${timesAs('every')} where every.state = '') as anywhere`
export const timeOf = (name: 'dueAt' | 'zone') =>
  `coalesce(current."${name}", former."${name}", anywhere."${name}")`

/** A notice that was void before is due again. */
const insertNew = statement(`
  insert into notices (user_id, event, subject_id, subject_version, before, after, due_at, created_at)
  select u.id, r.event, r."subjectId", r.version, r.before, r.after,
    ${timeOf('dueAt')}, $3::timestamptz
  from jsonb_to_recordset($1::jsonb) as r(event text, kind text, "subjectId" text, version text,
    "contactId" text, before jsonb, after jsonb, since timestamptz)
  join links l on l.contact_id = r."contactId" and l.state = 'live'
  join users u on u.id = l.user_id
  left join crm_contact p on p.id = l.contact_id
  ${JOIN_TIMES}
  where ${MAY_GET_NOTICES} and ${NOT_TURNED_OFF('r.kind')}
    -- What was there when the account was linked is no news.
    and r.since >= date_trunc('second', l.live_at)
  order by u.id
  on conflict (user_id, event, subject_id, subject_version) do update
    set void_at = null, due_at = excluded.due_at, delivery_id = null, sending_at = null
    where notices.void_at is not null and notices.sent_at is null`)

/** Adds notices for the accounts that are linked to the contacts. */
export async function addNotices(
  tx: Tx,
  notices: readonly NewNotice[],
  times: Times,
  now: Date,
): Promise<void> {
  await insertNew(tx, JSON.stringify(notices), JSON.stringify(times), now)
}

const selectDueAccounts = statement<{ userId: string }>(`
  select distinct user_id as "userId" from (
    select user_id from notices
    where due_at <= $1::timestamptz and delivery_id is null and sent_at is null and void_at is null
    order by due_at limit $2) as due`)

const collectInto = statement(`
  with due as (
    select id, user_id from notices
    where user_id = any($2::uuid[]) and due_at <= $1::timestamptz
      and delivery_id is null and sent_at is null and void_at is null order by id for update),
  made as (
    insert into deliveries (id, user_id, kinds, state, queued_at, changed_at)
    select r.id, r."userId", '{}', 'queued', $1::timestamptz, $1::timestamptz
    from jsonb_to_recordset($3::jsonb) as r(id uuid, "userId" uuid)
    where exists (select from due where due.user_id = r."userId") returning id, user_id)
  update notices set delivery_id = made.id from due join made using (user_id)
  where notices.id = due.id`)

export async function accountsWithDueNotices(db: Queryable, now: Date, limit: number) {
  return (await selectDueAccounts(db, now, limit)).map(({ userId }) => userId)
}

/** Puts the due notices of each account into its delivery. */
export async function collectNotices(
  tx: Tx,
  deliveries: readonly { id: string; userId: string }[],
  now: Date,
): Promise<void> {
  const userIds = deliveries.map(({ userId }) => userId)
  await collectInto(tx, now, userIds, JSON.stringify(deliveries))
}
