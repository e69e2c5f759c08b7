/** SQL texts of rules about a veteran's case that several features share. */

/** Every earlier day has ended everywhere in the US. */
export const TODAY_IN_HAWAII = `(now() at time zone 'Pacific/Honolulu')::date`

/** As the contract sends times. */
export const isoTime = (time: string) =>
  `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Of a row `c` of `crm_document`: no file in the CRM, and none that is on its way there. */
export const IS_OPEN_REQUEST = `
  not c.deleted and c.box_file_id is null
  and not exists (select from documents d where d.crm_id = c.id)`

/**
 * Of a row `d` of `documents`. `is not distinct from` cannot use an index, so PostgreSQL finds `d` by another condition
 * and does not read all documents of the account for each row of the CRM.
 */
export const isOwnedBy = (userId: string) => `d.user_id is not distinct from ${userId}`

/**
 * Whether the file of `d` (`documents`) is newer than the one that the CRM has in `c` (`crm_document`). Times in the
 * CRM have a precision of one second. Null if the CRM has no time.
 */
export const IS_NEWER_THAN_CRM = `
  date_trunc('second', d.uploaded_at) > coalesce(c.last_uploaded_at, c.status_since)`

/** Of rows `u` of `uploads` of one document. Ids give no order: an upload in parts gets its id when it starts. */
export const NEWEST_UPLOAD_FIRST = 'order by u.received_at desc, u.id desc'

/**
 * Whether the file store refused the newest file of `d` (`documents`); null if no file waits. Files of one document are
 * stored in their order, so none that is newer can be stored already.
 */
export const HAS_FAILED_UPLOAD = `
  (select u.refused_at is not null from uploads u
    where u.document_id = d.id and u.stored_at is null ${NEWEST_UPLOAD_FIRST} limit 1)`
