import type { Role } from '@guidon/contract/account'
import type { CrmDocumentStatus } from '@guidon/contract/documents'
import type { Address } from '@guidon/contract/profile'
import type { ColumnType, Generated } from 'kysely'

/** The shared tables of `migrations/`. A feature adds its own tables beside its queries. */
export interface Schema {
  users: Users
  sessions: Sessions
  session_tokens: SessionTokens
  sent_mails: SentMails
  limits: Limits
  audit_events: AuditEvents
  audit_seals: AuditSeals
  audit_epoch: AuditEpoch
  audit_archives: AuditArchives
  audit_sources: AuditSources
  blocked_tries: BlockedTries
  crm_contact: CrmContact
  crm_user: CrmUser
  crm_appointment: CrmAppointment
  crm_document: CrmDocument
  crm_document_category: CrmDocumentCategory
  crm_claim: CrmClaim
  claim_steps: ClaimSteps
  crm_sync_cursor: CrmSyncCursor
  crm_outbox: CrmOutbox
  crm_sender: CrmSender
  crm_api_usage: CrmApiUsage
  crm_calls: CrmCalls
  crm_check: CrmCheck
  erasures: Erasures
  /** A view: the contact that an account may see. */
  case_contact: { user_id: string; id: string; box_folder_id: string | null }
}

interface Users {
  id: Generated<string>
  email: string
  password_hash: string
  password_expires_at: Date | null
  first_name: string
  last_name: string
  phone: string
  state: string
  role: Role
  is_active: Generated<boolean>
  box_folder_id: string | null
  /** What the veteran said of it in the intake, as JSON. */
  address: ColumnType<Address | null, undefined, string>
  address_said_at: ColumnType<Date | null, undefined, Date>
  has_contact: Generated<boolean>
  signed_up_at: Date | null
  email_verified_at: Generated<Date>
  created_at: Generated<Date>
}

interface Sessions {
  id: Generated<string>
  user_id: string
  idle_limit: string
  last_seen_at: Generated<Date>
  expires_at: Date
  revoked_at: Date | null
  consents_due: Generated<boolean>
  email_came_back: Generated<boolean>
  created_at: Generated<Date>
}

interface SessionTokens {
  id: Generated<string>
  session_id: string
  access_hash: Buffer
  access_expires_at: Date
  refresh_hash: Buffer
  used_at: Date | null
  retired_at: Date | null
}

interface SentMails {
  job_id: string
  sent_at: Generated<Date>
}

interface Limits {
  key: Buffer
  count: number
  resets_at: Date
  blocked_until: Generated<Date>
  subject: Buffer | null
}

interface AuditEvents {
  transaction: Generated<string>
  id: Generated<string>
  at: Generated<Date>
  event: string
  actor_id: string | null
  subject_id: string | null
  details: Generated<string>
}

interface AuditSeals {
  number: number
  until_transaction: string
  until_id: string
  events: number
  hash: Buffer
  sealed_at: Generated<Date>
}

interface AuditEpoch {
  single: Generated<boolean>
  ahead: string
}

interface AuditArchives {
  month: string
  until_seal: number
  until_transaction: string
  until_id: string
  hash: Buffer
  events: string
  left_hash: Buffer
  file_sha256: Buffer
  archived_at: Generated<Date>
}

interface AuditSources {
  transaction: string
  id: string
  user_id: string | null
  network: string | null
  address: Buffer
  at: Generated<Date>
}

interface BlockedTries {
  id: Generated<string>
  event: string
  actor_id: string | null
  subject_id: string | null
  details: string
  network: string | null
  address: Buffer | null
  count: Generated<number>
  started_at: Generated<Date>
}

interface Mirrored {
  id: string
  modified_at: Date
  deleted: boolean
}

interface CrmContact extends Mirrored {
  portal_user_id: string | null
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
  street: string | null
  city: string | null
  state: string | null
  zip: string | null
  case_manager_id: string | null
  box_folder_id: string | null
  deceased: boolean | null
  master_id: string | null
}

interface CrmUser extends Mirrored {
  name: string | null
  email: string | null
  phone: string | null
}

interface CrmAppointment extends Mirrored {
  contact_id: string | null
  date: string | null
  time: string | null
  clinic_name: string | null
  clinic_phone: string | null
  scheduled: boolean | null
}

interface CrmDocument extends Mirrored {
  contact_id: string | null
  portal_document_id: string | null
  name: string | null
  type: string | null
  box_file_id: string | null
  last_uploaded_at: Date | null
  due_date: string | null
  reason: string | null
  status: CrmDocumentStatus | null
  status_reason: string | null
  status_since: Date | null
}

interface CrmDocumentCategory extends Mirrored {
  name: string | null
  sort: number | null
}

interface CrmClaim extends Mirrored {
  contact_id: string | null
  title: string | null
  stage: string | null
  stage_label: string | null
  stage_since: Date | null
  stage_reason: string | null
  next_step: string | null
  closed: boolean | null
  hidden_at: Date | null
}

interface ClaimSteps {
  claim_id: string
  stage: string
  stage_label: string | null
  entered_at: Date
  back: boolean
  version_at: Date | null
}

interface CrmSyncCursor {
  kind: string
  after_at: Generated<Date>
  after_id: Generated<string>
  pass_as_of: Date | null
  due_at: Generated<Date>
  completed_at: Date | null
  failed_at: Date | null
  failure: string | null
  claimed_until: Date | null
  ticked_at: Date | null
  compared_id: Generated<string>
  compared_step_at: Date | null
  compared_at: Date | null
  repaired: Generated<string>
  fields: string[] | null
  rereading: Generated<boolean>
  added_at: Generated<Date>
}

export type OutboxKind = 'contact' | 'contact_request' | 'intake' | 'document'

interface CrmOutbox {
  number: Generated<string>
  user_id: string
  kind: OutboxKind
  entity_id: string
  created_at: Generated<Date>
  sent_at: Date | null
  refused_at: Date | null
  refusal: string | null
  target: string | null
  claim: string | null
  claimed_until: Date | null
  tries: Generated<number>
  retry_at: Date | null
  searched_at: Date | null
}

interface CrmSender {
  single: Generated<boolean>
  next_round_at: Generated<Date>
  failures: Generated<number>
}

interface CrmApiUsage {
  day: string
  used: number
  allowed: number
  at: Generated<Date>
}

interface CrmCalls {
  day: string
  purpose: string
  calls: number
  at: Generated<Date>
}

interface CrmCheck {
  only_row: Generated<boolean>
  state: 'fits' | 'unreachable' | 'stopped'
  problems: string[]
  missing: string[]
  since: Generated<Date>
  checked_at: Generated<Date>
}

interface Erasures {
  user_id: string
  contact_id: string | null
  erased_at: Generated<Date>
}
