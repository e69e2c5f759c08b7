import type { NoticeKind } from '@guidon/contract/notices'
import { isLinked } from '../../crm/links/links.sql.ts'
import { IS_OPEN_REQUEST } from '../../db/case-rules.ts'
import { statement } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'
import type { FactKind, NoticeEvent } from './decide.ts'
import { JOIN_TIMES, MAY_GET_NOTICES, NOT_TURNED_OFF, timeOf } from './notices.sql.ts'
import type { Times } from './notices.sql.ts'

/** At this time in the west of the state, on the day of a reminder. */
const REMINDER_TIME = '10:00'
/** A reminder that is later than this is left out, after an outage. It can be sent until 21:00. */
const LATEST_HOURS = 10
/** Rows that one statement looks at. */
const PAGE = 1_000

interface Reminder {
  event: NoticeEvent
  /** A table and its alias. */
  rows: string
  /** The first column of an index that finds the rows of some days; `id` is the second. */
  key: string
  keyType: 'date' | 'timestamptz'
  id: string
  firstId: string
  /** The condition on `rows` that the index can check. */
  indexed: string
  /** The account `u` of a row. */
  account: string
  version: string
  /** The day of the reminder. */
  day: string
  where: string
}

const isLoaded = (kind: FactKind) =>
  `exists (select from crm_sync_cursor where kind = '${kind}' and completed_at is not null)`

const TODAY_IN_UTC = `($1::timestamptz at time zone 'UTC')::date`
/**
 * The day of the reminder, `days` before the date in the column, is yesterday, today or tomorrow in UTC. Nowhere in the
 * US is a reminder of another day due within the next 24 hours.
 */
const dueAround = (column: string, days: number) =>
  `${column} between ${TODAY_IN_UTC} + (${days - 1}) and ${TODAY_IN_UTC} + (${days + 1})`

/** Someone who just got an email about it needs no reminder. */
const noEmailSince = (hours: number, subject: string, events: readonly NoticeEvent[]) => `
  not exists (select from notices other where other.user_id = u.id and other.subject_id = ${subject}
    and other.event = any('{${events.join(',')}}') and other.void_at is null
    and other.created_at > $1::timestamptz - interval '${hours} hours')`

/** Who sees a row. */
const accountOf = (row: string) => `
  join links l on l.contact_id = ${row}.shown_contact_id and l.state = 'live'
  join users u on u.id = l.user_id`

const documentReminder = (event: NoticeEvent, days: number): Reminder => ({
  event,
  rows: 'crm_document c',
  key: 'c.due_date',
  keyType: 'date',
  id: 'c.id',
  firstId: '',
  indexed: `${dueAround('c.due_date', days)} and c.due_date is not null and c.box_file_id is null
    and not c.deleted`,
  account: accountOf('c'),
  version: 'c.due_date::text',
  day: `c.due_date - (${days})`,
  where: `${IS_OPEN_REQUEST} and c.status is distinct from 'reviewed' and ${isLoaded('document')}
    and ${noEmailSince(24, 'c.id', ['documentRequested'])}`,
})

const appointmentReminder = (event: NoticeEvent, days: number, hours: number): Reminder => ({
  event,
  rows: 'crm_appointment a',
  key: 'a.date',
  keyType: 'date',
  id: 'a.id',
  firstId: '',
  indexed: `${dueAround('a.date', days)} and a.scheduled and not a.deleted`,
  account: accountOf('a'),
  version: `a.date || ' ' || to_char(a.time, 'HH24:MI')`,
  day: `a.date - ${days}`,
  where: `${isLoaded('appointment')}
    and ${noEmailSince(hours, 'a.id', ['appointmentSet', 'appointmentMoved'])}`,
})

export const HAS_NO_INTAKE = `not ${isLinked('u.id')} and not exists (
  select from intakes i where i.user_id = u.id and i.submitted_at is not null)`

const intakeReminder = (event: NoticeEvent, days: number): Reminder => ({
  event,
  rows: 'users u',
  key: 'u.created_at',
  keyType: 'timestamptz',
  id: 'u.id',
  firstId: '00000000-0000-0000-0000-000000000000',
  indexed: `u.created_at between $1::timestamptz - interval '${days + 2} days'
    and $1::timestamptz - interval '${days - 2} days'`,
  account: `left join links l on l.user_id = u.id and l.state = 'live'`,
  version: `''`,
  day: `(u.created_at at time zone ${timeOf('zone')})::date + ${days}`,
  where: HAS_NO_INTAKE,
})

const REMINDERS: readonly Reminder[] = [
  documentReminder('documentDueIn7Days', 7),
  documentReminder('documentDueIn2Days', 2),
  documentReminder('documentOverdue', -1),
  appointmentReminder('appointmentIn7Days', 7, 24),
  appointmentReminder('appointmentTomorrow', 1, 12),
  intakeReminder('intakeDay3', 3),
  intakeReminder('intakeDay6', 6),
]

/** Where the next page begins. */
interface Position {
  key: string
  id: string
}

const insertPage = (reminder: Reminder) => {
  const { rows, key, keyType, id, indexed, account, version, day, where } = reminder
  const alias = rows.split(' ')[1]!
  const idType = rows === 'users u' ? 'uuid' : 'text'
  return statement<Position & { count: number }>(`
    with page as materialized (
      select * from ${rows} where ${indexed} and (${key}, ${id}) > ($5::${keyType}, $6::${idType})
      order by ${key}, ${id} limit ${PAGE}),
    due as (
      select u.id as user_id, ${id}::text as subject_id, ${version} as version,
        (${day} + time '${REMINDER_TIME}') at time zone ${timeOf('zone')} as due_at
      from page ${alias} ${account}
      left join crm_contact p on p.id = l.contact_id
      ${JOIN_TIMES}
      where ${where} and ${MAY_GET_NOTICES} and ${NOT_TURNED_OFF('$3::text')}),
    added as (
      insert into notices (user_id, event, subject_id, subject_version, due_at, created_at)
      select user_id, $4::text, subject_id, version, due_at, $1::timestamptz from due
      where due_at > $1::timestamptz - interval '${LATEST_HOURS} hours'
        and due_at < $1::timestamptz + interval '1 day'
      on conflict do nothing returning 1)
    select ${key}::text as key, ${id}::text as id, (select count(*)::int from added) as count
    from page ${alias} order by ${alias}.${key.split('.')[1]} desc, ${id} desc limit 1`)
}

const insertPages = new Map(
  REMINDERS.map((reminder) => [
    reminder.event,
    { insert: insertPage(reminder), first: { key: '-infinity', id: reminder.firstId } },
  ]),
)
export const REMINDER_EVENTS = [...insertPages.keys()]

/**
 * Adds the reminders of an event for the next day, of one page of rows. Returns their count and where the next page
 * begins, or undefined if there are no more rows.
 */
export async function addReminders(
  db: Queryable,
  { event, kind, times, now }: { event: NoticeEvent; kind: NoticeKind; times: Times; now: Date },
  after?: Position,
): Promise<{ count: number; after: Position } | undefined> {
  const { insert, first } = insertPages.get(event)!
  const { key, id } = after ?? first
  const [last] = await insert(db, now, JSON.stringify(times), kind, event, key, id)
  return last && { count: last.count, after: { key: last.key, id: last.id } }
}
