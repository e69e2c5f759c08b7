import type { getCaseVersion } from '@guidon/contract/case-activity'
import type { ResponseIn } from '@guidon/contract/endpoint'
import { IS_CURRENT } from '../../crm/links/links.sql.ts'
import { TODAY_IN_HAWAII } from '../../db/case-rules.ts'
import { statement } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'

type Version = ResponseIn<typeof getCaseVersion>

/** One number for a set of rows, in any order. */
const hashOf = (row: string, from: string) =>
  `(select bit_xor(hash_record_extended(${row}, 0)) from ${from})`

/** By document, because there is no index of the few waiting uploads of an account. */
const NEWEST_WAITING = `
  select id, refused_at from uploads
  where document_id = d.id and stored_at is null order by received_at desc, id desc limit 1`

/** Includes the date, because items become overdue and appointments end without a change of a row. */
const selectVersion = statement<Version>(`
  select md5(concat_ws(' ', ${TODAY_IN_HAWAII},
    hash_record_extended(row(u.first_name, u.last_name, u.phone, u.email), 0),
    ${hashOf('row(links.id, links.state)', `links where links.user_id = u.id and ${IS_CURRENT}`)},
    ${hashOf('c', 'case_contact c where c.user_id = u.id')},
    ${hashOf('m', 'case_contact c join crm_user m on m.id = c.case_manager_id where c.user_id = u.id')},
    ${hashOf('a', 'case_appointment a where a.user_id = u.id and a.scheduled')},
    ${hashOf('c', 'case_document c where c.user_id = u.id')},
    ${hashOf('c', 'case_claim c where c.user_id = u.id')},
    ${hashOf(
      'row(d.id, d.name, d.crm_id, d.box_file_id, d.uploaded_at, w.id, w.refused_at)',
      `documents d left join lateral (${NEWEST_WAITING}) w on true where d.user_id = u.id`,
    )},
    ${hashOf('row(o.number, o.refused_at is null)', 'crm_outbox o where o.user_id = u.id and o.sent_at is null')},
    (select i.submitted_at from intakes i where i.user_id = u.id))) as version,
    exists (
      select from unfinished_uploads w
      where w.user_id = u.id and w.name is not null and w.document_id is null and w.expires_at > now()
    ) as "hasUnfinishedUploads"
  from users u where u.id = $1`)

/** The version changes whenever something on Home changes for this account. */
export async function versionOf(db: Queryable, userId: string): Promise<Version> {
  const [row] = await selectVersion(db, userId)
  return row ?? { version: '', hasUnfinishedUploads: false }
}
