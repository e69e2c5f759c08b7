import type { NoticeKind } from '@guidon/contract/notices'
import { IS_NEWER_THAN_CRM, IS_OPEN_REQUEST } from '../../db/case-rules.ts'
import { statement } from '../../db/database.ts'
import type { Queryable, Tx } from '../../db/database.ts'
import type { NoticeEvent } from './decide.ts'
import { MAY_GET_NOTICES, NOT_TURNED_OFF } from './notices.sql.ts'
import { HAS_NO_INTAKE } from './reminders.sql.ts'

/**
 * In the westernmost time zone of the veteran's state: a day or an appointment is past only if it is past everywhere.
 */
const LOCAL_TIME = '$4::timestamp'
const TODAY = `(${LOCAL_TIME})::date`

/** Whether the file that was asked for has arrived since. */
const HAS_NEW_FILE = `exists (select from documents d where d.crm_id = c.id
  and (c.box_file_id is null or ${IS_NEWER_THAN_CRM}))`
const IS_REQUESTED = `(${IS_OPEN_REQUEST} and c.status is distinct from 'reviewed') is true`
const isDueIn = (days: number) =>
  `${IS_REQUESTED} and c.due_date::text = n.subject_version and c.due_date = ${TODAY} + ${days}`
/** Nobody can go to an appointment that has begun. */
const IS_SAME_APPOINTMENT = `a.scheduled and a.date::text = n.after ->> 'date'
  and to_char(a.time, 'HH24:MI') = n.after ->> 'time' and a.date + a.time > ${LOCAL_TIME}`
const isAppointmentIn = (days: number) =>
  `a.scheduled and a.date || ' ' || to_char(a.time, 'HH24:MI') = n.subject_version
    and a.date = ${TODAY} + ${days}`

/** Whether what a notice `n` says is still true. */
const IS_STILL_TRUE: Readonly<Record<NoticeEvent, string>> = {
  documentRequested: IS_REQUESTED,
  documentDueIn7Days: isDueIn(7),
  documentDueIn2Days: isDueIn(2),
  documentOverdue: `${IS_REQUESTED} and c.due_date::text = n.subject_version`,
  documentReviewed: `c.status = 'reviewed'`,
  documentNotUsable: `c.status = 'notUsable' and not ${HAS_NEW_FILE}`,
  appointmentSet: IS_SAME_APPOINTMENT,
  appointmentMoved: IS_SAME_APPOINTMENT,
  // Its row may be gone, and with it the contact. So the account must not have been linked to another contact since.
  appointmentCancelled: `a.scheduled is not true
    and n.created_at >= l.live_at
    and (n.before ->> 'date')::date + (n.before ->> 'time')::time > ${LOCAL_TIME}`,
  appointmentIn7Days: isAppointmentIn(7),
  appointmentTomorrow: isAppointmentIn(1),
  claimStep: `k.stage = n.after ->> 'stage'`,
  caseManager: `p.case_manager_id = n.after ->> 'manager'`,
  intakeDay3: HAS_NO_INTAKE,
  intakeDay6: HAS_NO_INTAKE,
}

/** Older notices are not sent: long enough for an outage of a day and the nights before and after it. */
const MAX_AGE_HOURS = 48
/** More than anyone reads. All other notices of the same email count as sent with it. */
const NOTICES_MAX = 200

export interface NoticeRow {
  id: string
  event: NoticeEvent
  /** Whether it is still true, and may be sent. */
  isTrue: boolean
  /** Whether a worker died while the relay had the email, so that it may have been sent. */
  isUncertain: boolean
  /** yyyy-mm-dd: until when a document is needed, or the day of an appointment. */
  date: string | null
  /** HH:MM of an appointment. */
  time: string | null
  /** The key of a claim's stage. */
  stage: string | null
}

const selectOfDelivery = statement<NoticeRow>(`
  select n.id, n.event, coalesce(case n.event ${Object.entries(IS_STILL_TRUE)
    .map(([event, isTrue]) => `when '${event}' then (${isTrue})`)
    .join(' ')} end, false) and ${NOT_TURNED_OFF('$2::jsonb ->> n.event')}
      and n.created_at > $3::timestamptz - interval '${MAX_AGE_HOURS} hours' as "isTrue",
    n.sending_at is not null as "isUncertain",
    case n.event when 'appointmentCancelled' then n.before ->> 'date'
      else coalesce(a.date, c.due_date)::text end as date,
    case n.event when 'appointmentCancelled' then n.before ->> 'time'
      else to_char(a.time, 'HH24:MI') end as time, k.stage
  from notices n join users u on u.id = n.user_id
  left join links l on l.user_id = u.id and l.state = 'live'
  left join case_contact p on p.user_id = u.id
  left join case_document c on c.id = n.subject_id and c.user_id = u.id
  left join case_appointment a on a.id = n.subject_id and a.user_id = u.id
  left join case_claim k on k.id = n.subject_id and k.user_id = u.id
  where n.delivery_id = $1 and n.sent_at is null and n.void_at is null
  order by n.id limit ${NOTICES_MAX} for update of n`)

interface Moment {
  now: Date
  /** In the westernmost time zone of the veteran's state. */
  localTime: string
}

/** The notices that an email is made of, oldest first. They stay locked. */
export function noticesOfDelivery(
  tx: Tx,
  deliveryId: string,
  kinds: Readonly<Record<NoticeEvent, NoticeKind>>,
  { now, localTime }: Moment,
): Promise<NoticeRow[]> {
  return selectOfDelivery(tx, deliveryId, JSON.stringify(kinds), now, localTime)
}

interface Recipient {
  userId: string
  email: string
  /** Newer than that of the sign-up, but may be any text. */
  contactState: string | null
  signUpState: string
  mayGetNotices: boolean
}

const selectRecipient = statement<Recipient>(`
  select u.id as "userId", u.email, p.state as "contactState", u.state as "signUpState",
    (${MAY_GET_NOTICES}) as "mayGetNotices"
  from deliveries d join users u on u.id = d.user_id
  left join links l on l.user_id = u.id and l.state = 'live'
  left join crm_contact p on p.id = l.contact_id
  where d.id = $1`)

/** Undefined if the delivery or the account no longer exists. */
export async function findRecipient(tx: Tx, deliveryId: string): Promise<Recipient | undefined> {
  const [recipient] = await selectRecipient(tx, deliveryId)
  return recipient
}

const setSending = statement(`
  with sending as (
    update notices set sending_at = $2::timestamptz
    where delivery_id = $1 and sent_at is null and void_at is null)
  update deliveries set kinds = $3::text[] where id = $1`)

/** The relay may have the email from now on. */
export async function markSending(
  tx: Tx,
  deliveryId: string,
  kinds: readonly NoticeKind[],
  now: Date,
): Promise<void> {
  await setSending(tx, deliveryId, now, kinds)
}

const clearSending = statement(`
  update notices set sending_at = null where delivery_id = $1 and sent_at is null`)

/** The relay certainly does not have the email. */
export async function markNotSent(db: Queryable, deliveryId: string): Promise<void> {
  await clearSending(db, deliveryId)
}

const setSent = statement(`
  update notices set sent_at = $2::timestamptz
  where delivery_id = $1 and sent_at is null and void_at is null and sending_at is not null`)

export async function markSent(db: Queryable, deliveryId: string, now: Date): Promise<void> {
  await setSent(db, deliveryId, now)
}

const setDue = statement(`
  update notices set delivery_id = null, due_at = $2::timestamptz
  where delivery_id = $1 and sent_at is null and void_at is null`)
const deleteDelivery = statement(`delete from deliveries where id = $1 and state = 'queued'`)

/** The notices become part of another email. */
export async function postponeNotices(tx: Tx, deliveryId: string, dueAt: Date): Promise<void> {
  await setDue(tx, deliveryId, dueAt)
  await deleteDelivery(tx, deliveryId)
}

/** Nothing of the email is left to send. */
export async function removeDelivery(tx: Tx, deliveryId: string): Promise<void> {
  await deleteDelivery(tx, deliveryId)
}

const setVoid = statement(`
  update notices set void_at = $2::timestamptz
  where delivery_id = $1 and sent_at is null and void_at is null`)

/** None of its notices can be sent. */
export async function voidDelivery(db: Queryable, deliveryId: string, now: Date): Promise<void> {
  await setVoid(db, deliveryId, now)
}

const setAssumedSent = statement(`
  update notices set sent_at = $2::timestamptz where id = any($1::uuid[]) and sent_at is null`)

/** Nobody knows whether the relay accepted the email, and it must not be sent again. */
export async function assumeSent(tx: Tx, ids: readonly string[], now: Date): Promise<void> {
  await setAssumedSent(tx, ids, now)
}
