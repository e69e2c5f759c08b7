import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Everything that is held of one account, in words of its own: no hashes, no keys, nothing of anyone else. */

const rowsOf = async <Row>(tx: Tx, query: ReturnType<typeof sql<Row>>) =>
  (await query.execute(tx)).rows

export async function accountRecord(tx: Tx, userId: string) {
  const [account] = await rowsOf(
    tx,
    sql<{ salesforceId: string | null }>`
      select id, email, first_name as "firstName", last_name as "lastName", phone, state, role,
        is_active as "isActive", email_verified_at as "emailVerifiedAt",
        terms_version as "termsVersion", terms_accepted_at as "termsAcceptedAt",
        password_expires_at as "temporaryPasswordUntil", salesforce_id as "salesforceId",
        linked_at as "linkedAt", unlinked_from as "unlinkedFrom", box_folder_id as "boxFolderId",
        created_at as "createdAt"
      from users where id = ${userId}`,
  )
  return account
}

/** Without what was typed: whoever knows an email can sign up with it, and nobody proved to be its owner. */
export function signUpRecords(tx: Tx, userId: string) {
  return rowsOf(
    tx,
    sql`select sign_ups.created_at as "signedUpAt", sign_ups.terms_version as "termsVersion"
      from sign_ups join users on users.email = sign_ups.email
      where users.id = ${userId} order by sign_ups.id`,
  )
}

export interface DocumentRecord {
  id: string
  name: string
  uploads: { id: string; chunks: number; storedAt: string | null }[]
}

export function documentRecords(tx: Tx, userId: string) {
  return rowsOf(
    tx,
    sql<DocumentRecord>`
      select id, name, type, size::float8 as size, encode(sha256, 'hex') as sha256,
        uploaded_at as "uploadedAt", removed, crm_id as "crmId", box_file_id as "boxFileId",
        array(
          select jsonb_build_object('id', u.id, 'size', u.size, 'chunks', u.chunks,
            'receivedAt', u.received_at, 'storedAt', u.stored_at, 'refusal', u.refusal)
          from uploads u where u.document_id = documents.id order by u.id) as uploads
      from documents where user_id = ${userId} order by id`,
  )
}

export async function signInRecords(tx: Tx, userId: string) {
  return {
    sessions: await rowsOf(
      tx,
      sql`select created_at as "openedAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt",
          revoked_at as "endedAt"
        from sessions where user_id = ${userId} order by created_at`,
    ),
    codes: await rowsOf(
      tx,
      sql`select created_at as "askedAt", purpose, sends as "sent", consumed_at as "usedAt"
        from challenges where user_id = ${userId} and not decoy order by created_at`,
    ),
    resetLinks: await rowsOf(
      tx,
      sql`select created_at as "askedAt", used_at as "usedAt", expires_at as "expiresAt"
        from reset_tokens where user_id = ${userId} order by created_at`,
    ),
    devices: await rowsOf(
      tx,
      sql`select seen_at as "lastSignInAt" from devices where user_id = ${userId} order by seen_at`,
    ),
  }
}

export function contactRequestRecords(tx: Tx, userId: string) {
  return rowsOf(
    tx,
    sql`select id, method, requested_at as "requestedAt"
      from contact_requests where user_id = ${userId} order by id`,
  )
}

export function outboxRecords(tx: Tx, userId: string) {
  return rowsOf(
    tx,
    sql`select kind, created_at as "createdAt", sent_at as "sentAt", refusal
      from crm_outbox where user_id = ${userId} order by number`,
  )
}

/** What the mirror holds of the contact that the account belongs to. */
export async function mirrorRecords(tx: Tx, contactId: string) {
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
        from crm_appointment where contact_id = ${contactId} and not deleted order by date, time`,
    ),
    documents: await rowsOf(
      tx,
      sql`select id, name, type, box_file_id as "boxFileId", last_uploaded_at as "lastUploadedAt"
        from crm_document where contact_id = ${contactId} and not deleted order by id`,
    ),
  }
}
