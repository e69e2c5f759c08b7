import { CASE_EVENTS_MAX } from '@guidon/contract/case-activity'
import { HAS_FAILED_UPLOAD, isoTime } from '../../db/case-rules.ts'
import { statement } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'

export interface ActivityRow {
  at: string
  kind: 'received' | 'reviewed' | 'notUsable' | 'moved' | 'movedBack'
  /** The name of the document, or the CRM's label of the stage. */
  name: string | null
  stage: string | null
}

const newest = (select: string) => `(${select} order by time desc limit ${CASE_EVENTS_MAX})`

const RECEIVED = newest(`
  select d.uploaded_at as time, 'received' as kind, d.name, null as stage
  from owner join documents d on d.user_id = owner.id
  where ${HAS_FAILED_UPLOAD} is not true`)

const JUDGED = newest(`
  select c.status_since as time, c.status, c.name, null
  from owner join case_document c on c.user_id = owner.id
  where c.box_file_id is not null and c.status in ('reviewed', 'notUsable')
    and c.status_since is not null`)

const MOVED = newest(`
  select s.entered_at as time, case when s.back then 'movedBack' else 'moved' end, s.stage_label, s.stage
  from owner join case_claim c on c.user_id = owner.id
  cross join lateral (
    select * from claim_steps where claim_id = c.id
    order by entered_at desc limit ${CASE_EVENTS_MAX}) as s`)

const selectActivity = statement<ActivityRow>(`
  with owner as (select id from users where id = $1),
  happened as (${[RECEIVED, JUDGED, MOVED].join(' union all ')})
  select ${isoTime('time')} as at, kind, name, stage from happened
  order by time desc, kind, name limit ${CASE_EVENTS_MAX}`)

/** Newest first. */
export function activityRows(db: Queryable, userId: string): Promise<ActivityRow[]> {
  return selectActivity(db, userId)
}
