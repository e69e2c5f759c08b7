import type { Document, StaffDocument } from '@guidon/contract/documents'
import { IS_CURRENT, needsLink } from '../../crm/links/links.sql.ts'
import { HAS_FAILED_UPLOAD, IS_NEWER_THAN_CRM, isOwnedBy, isoTime } from '../../db/case-rules.ts'
import { statement } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'
import { isNoBoxId } from '../../files/folders/folders.sql.ts'

/**
 * Why a file that Box has is not where staff look for it in the CRM. `entry`: what waits to be sent of it. `blocker`: what
 * the CRM has refused of the account.
 */
const WHY_NOT_IN_CRM = `
  case when entry.refused_at is not null then 'refused'
    when (entry.number is not null or d.crm_id is null or c.deleted) and ${needsLink('d')} then 'needsLink'
    when entry.number is not null then case when blocker.number is not null then 'blocked' end
    when c.deleted then 'deleted'
    when c.id is not null and not exists (select from links where user_id = d.user_id and ${IS_CURRENT}
      and contact_id in (c.contact_id, c.shown_contact_id)) then 'moved' end`
const IN_CRM = `
  left join lateral (
    select number, refused_at, refusal from crm_outbox
    where user_id = d.user_id and entity_id = d.id and sent_at is null order by number limit 1) entry on true
  left join lateral (
    select number, kind, refusal from crm_outbox
    where user_id = d.user_id and sent_at is null and refused_at is not null
    order by number limit 1) blocker on true
  left join lateral (select ${WHY_NOT_IN_CRM} as why) missing
    on d.box_file_id is not null and ${HAS_FAILED_UPLOAD} is null`
const NOT_IN_CRM = `
  case when missing.why is not null then jsonb_build_object('why', missing.why, 'refusal',
    case when missing.why in ('refused', 'blocked')
      then jsonb_build_object('kind', blocker.kind, 'code', coalesce(blocker.refusal, '')) end) end`

/**
 * Of the current file: null if the file store refused it, otherwise what staff say, or how far it has come.
 * `HAS_FAILED_UPLOAD` is null if no file waits for the file store.
 */
const OWN_STATUS = `
  case when ${HAS_FAILED_UPLOAD} then null
    when shown.id is not null and c.status in ('reviewed', 'notUsable')
      and (${IS_NEWER_THAN_CRM}) is not true then c.status
    when missing.why in ('refused', 'needsLink', 'blocked') then 'delayed'
    when d.box_file_id is null or ${HAS_FAILED_UPLOAD} is not null or entry.number is not null
      or c.id is not null and shown.id is null then 'received'
    else 'inRecords' end`
/** A file of the portal in the rows `own`. Until the file store has it, the document's id stands in for the file's. */
const SELECT_OWN = `
  select d.id::text as id, d.name, d.type, coalesce(d.box_file_id, d.id::text) as "boxFileId",
    d.uploaded_at as at, d.size::float8 as size, encode(d.sha256, 'hex') as sha256,
    d.has_scripts as "hasScripts", d.note,
    case when d.request_name is not null
      then jsonb_build_object('id', d.crm_id, 'name', d.request_name) end as request,
    null::date as due, null as why, ${OWN_STATUS} as status, c.status_reason as reason,
    d.box_file_id as file, ${NOT_IN_CRM} as "notInCrm"
  from own d left join crm_document c on c.id = d.crm_id
  left join case_document shown on shown.id = c.id and shown.user_id = d.user_id
  ${IN_CRM}`

/** A file of the CRM is in the file store. A row without a file was not received. */
const CRM_STATUS = `
  case when c.status = 'notUsable' then c.status
    when c.box_file_id is null then case when c.status is not null then 'requested' end
    when c.status = 'reviewed' then c.status
    else 'inRecords' end`
const SELECT_FROM_CRM = `
  select c.id, c.name, c.type, c.box_file_id, c.last_uploaded_at, null::float8, null, false, null,
    null::jsonb,
    case when c.box_file_id is null then c.due_date end,
    case when c.box_file_id is null then c.reason end, ${CRM_STATUS}, c.status_reason, c.box_file_id,
    null::jsonb
  from owner join case_document c on c.user_id = owner.id`

const DOCUMENT_FIELDS = `id, name, type, "boxFileId", ${isoTime('at')} as "lastUploadedDate", size, sha256,
  "hasScripts", "notInCrm", note, request, to_char(due, 'YYYY-MM-DD') as due, why, status,
  case when status = 'notUsable' then reason end as "statusReason"`

/** Why nobody can open the file: what the CRM has is no id, or the file is not in the account's folder. */
const FILE_PROBLEM = `
  case when ${isNoBoxId('file')} then 'noId'
    when exists (select from misplaced_files m where m.user_id = $1 and m.file_id = file)
      then 'misplaced' end`

/** The id of the portal's document as the CRM has it, which may be any text. */
const PORTAL_DOCUMENT_ID = `
  case when pg_input_is_valid(c.portal_document_id, 'uuid') then c.portal_document_id::uuid end`
const IS_OWN = isOwnedBy('owner.id')

/**
 * Documents of the portal, and those of the CRM mirror that are not in the portal. Our own rows win, because
 * they are newer and have more fields. A file of the portal stays, whatever happens to its row in the CRM. A row of the
 * CRM without a file is a request, even if the id of a document that answered it before is still in the row.
 */
const selectDocuments = statement<StaffDocument>(`
  with owner as (select id from users where id = $1),
  own as (
    select d.* from owner join documents d on d.user_id = owner.id),
  listed as (
    ${SELECT_OWN}
    union all
    ${SELECT_FROM_CRM}
    where not exists (select from documents d where d.crm_id = c.id and ${IS_OWN})
      and not exists (
        select from documents d
        where c.box_file_id is not null and d.id = ${PORTAL_DOCUMENT_ID} and ${IS_OWN}))
  select ${DOCUMENT_FIELDS}, ${FILE_PROBLEM} as "fileProblem" from listed
  order by "boxFileId" is not null, at desc nulls first, id desc`)

/** With the fields for staff; the endpoint for veterans leaves those out. */
export function documentsOf(db: Queryable, userId: string): Promise<StaffDocument[]> {
  return selectDocuments(db, userId)
}

const selectDocument = statement<Document>(`
  with own as (
    select * from documents where id = $1)
  select ${DOCUMENT_FIELDS} from (${SELECT_OWN}) as listed`)

export async function findDocument(db: Queryable, id: string): Promise<Document | undefined> {
  const [document] = await selectDocument(db, id)
  return document
}
