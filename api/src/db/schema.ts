import type { Role } from '@guidon/contract/account'
import type { VerificationType } from '@guidon/contract/auth'
import type { Generated } from 'kysely'

/** The tables of `migrations/`, as the queries see them. */
export interface Schema {
  users: Users
  challenges: Challenges
  sessions: Sessions
  session_tokens: SessionTokens
  sent_mails: SentMails
  limits: Limits
  reset_tokens: ResetTokens
  devices: Devices
  audit_events: AuditEvents
  audit_seals: AuditSeals
}

interface Users {
  id: Generated<string>
  email: string
  password_hash: string
  first_name: string
  last_name: string
  phone: string
  state: string
  role: Role
  is_active: Generated<boolean>
  email_verified_at: Date | null
  terms_version: string | null
  terms_accepted_at: Date | null
  salesforce_id: string | null
  created_at: Generated<Date>
}

interface Challenges {
  id: Generated<string>
  token_hash: Buffer
  user_id: string
  purpose: VerificationType
  decoy: Generated<boolean>
  sends: Generated<number>
  sent_at: Generated<Date>
  code_hash: Buffer | null
  code_expires_at: Date | null
  code_tries: Generated<number>
  consumed_at: Date | null
  expires_at: Date
  created_at: Generated<Date>
}

interface Sessions {
  id: Generated<string>
  user_id: string
  idle_limit: string
  last_seen_at: Generated<Date>
  expires_at: Date
  revoked_at: Date | null
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
}

interface ResetTokens {
  token_hash: Buffer
  user_id: string
  expires_at: Date
  used_at: Date | null
  created_at: Generated<Date>
}

interface Devices {
  user_id: string
  token_hash: Buffer
  seen_at: Generated<Date>
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
