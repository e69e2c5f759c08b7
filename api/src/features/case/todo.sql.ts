import type { ResponseIn } from '@guidon/contract/endpoint'
import { APPOINTMENT_DAYS, TODO_KINDS, TODO_MAX } from '@guidon/contract/todo'
import type { getTodo, TodoItem } from '@guidon/contract/todo'
import { isLinked } from '../../crm/links/links.sql.ts'
import {
  HAS_FAILED_UPLOAD,
  IS_NEWER_THAN_CRM,
  IS_OPEN_REQUEST,
  isOwnedBy,
  isoTime,
  TODAY_IN_HAWAII,
} from '../../db/case-rules.ts'
import { statement } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'

export type Todo = ResponseIn<typeof getTodo>

const kind = (name: TodoItem['kind']) => `'${name}'`
const ORDER = `array_position('{${TODO_KINDS.join(',')}}'::text[], kind)`

const REQUESTS = `
  select case when c.due_date < ${TODAY_IN_HAWAII} then ${kind('overdueDocument')}
      else ${kind('requestedDocument')} end as kind,
    c.id, c.name as subject, c.due_date as due, null::time as time,
    -- The staff may have removed a file that they cannot use.
    case when c.status = 'notUsable' then coalesce(c.status_reason, c.reason) else c.reason end as why
  -- Reviewed without a file: it came by another way.
  from mirrored c where ${IS_OPEN_REQUEST} and c.status is distinct from 'reviewed'`

const UNUSABLE = `
  select ${kind('unusableDocument')}, coalesce(d.id::text, c.id), coalesce(d.request_name, d.name, c.name),
    case when c.due_date >= ${TODAY_IN_HAWAII} then c.due_date end, null, c.status_reason
  from mirrored c
  left join documents d on d.crm_id = c.id and ${isOwnedBy('c.user_id')}
  where c.box_file_id is not null and c.status = 'notUsable' and (${IS_NEWER_THAN_CRM}) is not true`

const FAILED_UPLOADS = `
  select ${kind('failedUpload')}, d.id::text, coalesce(d.request_name, d.name), null, null, null
  from owner join documents d on d.user_id = owner.id
  where ${HAS_FAILED_UPLOAD}`

const UNFINISHED_INTAKE = `
  select ${kind('intake')}, owner.id::text, null, null, null, null from owner
  where not ${isLinked('owner.id')} and not exists (
    select from intakes i where i.user_id = owner.id and i.submitted_at is not null)`

const APPOINTMENTS = `
  select ${kind('appointment')}, a.id, a.clinic_name, a.date, a.time, null
  from owner join case_appointment a on a.user_id = owner.id
  where a.scheduled and a.date between ${TODAY_IN_HAWAII} and ${TODAY_IN_HAWAII} + ${APPOINTMENT_DAYS}`

const CHECKED_AT = `
  case when exists (select from owner where has_contact) then (
    select min(completed_at) from crm_sync_cursor where kind in ('document', 'appointment')) end`

/** Staff have nothing to do as veterans, so only veterans have items. */
const selectTodo = statement<Todo>(`
  with owner as (
    select id, has_contact from users where id = $1 and role = 'USER'),
  mirrored as (
    select c.* from owner join case_document c on c.user_id = owner.id),
  listed as (
    ${[REQUESTS, UNUSABLE, FAILED_UPLOADS, UNFINISHED_INTAKE, APPOINTMENTS].join(' union all ')}),
  urgent as (
    select * from listed order by ${ORDER}, due nulls last, time nulls last, id limit ${TODO_MAX})
  select ${isoTime(`coalesce(${CHECKED_AT}, now())`)} as "checkedAt",
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'kind', kind, 'id', id, 'subject', subject, 'due', due, 'why', why)
        order by ${ORDER}, due nulls last, time nulls last, id)
      from urgent), '[]') as items`)

export async function todoOf(db: Queryable, userId: string): Promise<Todo> {
  const [todo] = await selectTodo(db, userId)
  return todo!
}
