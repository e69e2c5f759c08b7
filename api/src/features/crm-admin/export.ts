import { sql } from 'kysely'
import { contactOf } from '../../crm/links/links.sql.ts'
import { rowsOf } from '../../db/database.ts'
import type { Tx } from '../../db/database.ts'
import type { Export } from '../feature.ts'

export function exportCrm(): Export {
  return {
    read: async (tx, userId) => {
      const contactId = await contactOf(tx, userId)
      return {
        sentToCrm: await outboxRecords(tx, userId),
        copyOfCrm: contactId ? await mirrorRecords(tx, contactId) : null,
      }
    },
  }
}

function outboxRecords(tx: Tx, userId: string) {
  return rowsOf(
    tx,
    sql`select kind, created_at as "createdAt", sent_at as "sentAt", refusal
      from crm_outbox where user_id = ${userId} order by number`,
  )
}

async function mirrorRecords(tx: Tx, contactId: string) {
  const [contact] = await rowsOf(
    tx,
    sql`select c.id, c.first_name as "firstName", c.last_name as "lastName", c.email, c.phone,
        c.street, c.city, c.state, c.zip, c.box_folder_id as "boxFolderId", m.name as "caseManager",
        c.modified_at as "modifiedAt"
      from crm_contact c left join crm_user m on m.id = c.case_manager_id and not m.deleted
      where c.id = ${contactId} and not c.deleted`,
  )
  return {
    contact: contact ?? null,
    appointments: await rowsOf(
      tx,
      sql`select id, date::text, time::text, clinic_name as "clinicName",
          clinic_phone as "clinicPhone", scheduled
        from crm_appointment where shown_contact_id = ${contactId} and not deleted order by date, time`,
    ),
    documents: await rowsOf(
      tx,
      sql`select id, name, type, box_file_id as "boxFileId", last_uploaded_at as "lastUploadedAt",
          due_date::text as "dueDate", reason, status, status_reason as "statusReason",
          status_since as "statusSince"
        from crm_document where shown_contact_id = ${contactId} and not deleted order by id`,
    ),
    claims: await rowsOf(
      tx,
      sql`select id, title, stage, stage_label as "stageLabel", stage_since as "stageSince",
          stage_reason as "stageReason", next_step as "nextStep", closed,
          (select coalesce(json_agg(json_build_object('stage', stage, 'label', stage_label,
              'enteredAt', entered_at, 'back', back) order by entered_at), '[]')
            from claim_steps where claim_id = crm_claim.id) as steps
        from crm_claim where shown_contact_id = ${contactId} and not deleted order by id`,
    ),
  }
}
