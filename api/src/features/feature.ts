import type { Readable } from 'node:stream'
import type { Role } from '@guidon/contract/account'
import type { Brand } from '@guidon/contract/brand'
import type { ConsentText, Legal } from '@guidon/contract/legal'
import type { Stage } from '@guidon/contract/stages'
import type { FastifyInstance } from 'fastify'
import type { Links } from '../crm/links/links.ts'
import type { OnChanges } from '../crm/mirror/store-rows.ts'
import type { Outbox, Sender, Senders } from '../crm/outbox/outbox.ts'
import type { Crm } from '../crm/port.ts'
import type { CopyStreams } from '../db/copy-streams.ts'
import type { Database, Tx } from '../db/database.ts'
import type { Reader } from '../db/reader.ts'
import type { Retention } from '../db/retention.ts'
import type { OutboxKind, Schema } from '../db/schema.ts'
import type { Checks } from '../files/checks/check-file.ts'
import type { Files } from '../files/port.ts'
import type { Job, Work } from '../jobs/job.ts'
import type { Jobs, QueueControl } from '../jobs/queues.ts'
import type { ReportMailbox } from '../mail/port.ts'
import type { ReturnPaths } from '../mail/return-path.ts'
import type { SendOnce } from '../mail/send-once.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { Strength } from '../passwords/strength.ts'
import type { Command } from '../platform/command.ts'
import type { Sealer } from '../platform/crypto/sealer.ts'
import type { GaugeSource } from '../platform/gauge.ts'
import type { Log } from '../platform/log.ts'
import type { Tokens } from '../platform/tokens.ts'

/**
 * A feature is one folder, and its `feature.ts` declares everything that it adds to the product.
 * `main/compose/features.ts` lists the features; `main/compose/compose.ts` joins them.
 */

/** What every process opens. */
export interface CommonParts {
  db: Database
  /** For what may be a few seconds old. */
  reader: Reader
  tokens: Tokens
  jobs: Jobs
  outbox: Outbox
  /** Who has which contact of the CRM. */
  links: Links
  sealer: Sealer
  /** Multiplies the limits that count by network address, and those on emails in 15 minutes. */
  addressLimitFactor: number
  log: Log
  calls: Calls
}

export interface ServerParts extends CommonParts, Checks {
  copyStreams: CopyStreams
  /** Undefined without a replica. */
  replicaStreams: CopyStreams | undefined
  passwords: Passwords
  strength: Pick<Strength, 'weakness'>
  brand: Brand
  /** The stages of a claim in their order. */
  stages: readonly Stage[]
  uploadDirectory: string
  uploadQuota: { files: number; gigabytes: number }
  /** Of the unfinished uploads of all accounts. */
  unfinishedMaxBytes: number
  /** Undefined if the provider has not switched viewing on. */
  viewing:
    | { files: Pick<Files, 'find' | 'download' | 'openFolder'>; count(by: 'owner' | 'staff'): void }
    | undefined
}

export interface WorkerParts extends CommonParts {
  brand: Brand
  stages: readonly Stage[]
  /** The address of the portal, for links in emails. */
  portal: string
  send: SendOnce
  /** For the email of codes only: connections that no other job uses. */
  codes: { db: Database; send: SendOnce }
  /** Where mail servers report emails that they cannot deliver. Undefined if the operator has set up no mailbox. */
  reports: { mailbox: ReportMailbox; paths: ReturnPaths } | undefined
  crm: Crm
  /** What the features do when rows of the mirror change. */
  onChanges: OnChanges
  files: Files
  /** The senders and retention rules of all features. */
  senders: Senders
  retention: readonly NamedRetention[]
}

export interface AdminParts extends CommonParts {
  passwords: Pick<Passwords, 'hash'>
  queues: QueueControl
  /** Runs `work` as the owner of the tables, without a limit on the time of its statements. */
  asOwner<T>(work: (db: Database) => Promise<T>): Promise<T>
  keys: { tokens: readonly Buffer[]; peppers: readonly Buffer[]; data: readonly Buffer[] }
  /** The exported data and encrypted tables of all features. */
  exports: readonly Export[]
  encrypted: Record<string, Reencrypt>
}

/**
 * What one feature needs from another. Features never import each other: `main/compose/common-parts.ts` implements
 * these calls.
 */
export interface Calls {
  /** Runs in the transaction of a sign-in. Returns whether the account is linked to a contact that the provider had before. */
  onSignedIn(tx: Tx, user: { userId: string; role: Role }): Promise<boolean>
  /**
   * Runs instead of `onSignedIn` in the transaction that verifies a sign-up. Returns `pending` if the CRM may have a
   * contact that the mirror does not have yet: call `waitForLink` after the commit.
   */
  onSignedUp(tx: Tx, user: { userId: string; role: Role }): Promise<boolean | 'pending'>
  /** Records what a person accepted with the sign-up. */
  recordConsents(
    tx: Tx,
    userId: string,
    consents: readonly ConsentText[],
    acceptedAt: Date,
  ): Promise<unknown>
  /** Whether the account must accept a text that has changed. */
  areConsentsDue(tx: Tx, userId: string, legal: Legal): Promise<boolean>
  /** Waits a short time for the CRM. Returns the same as `onSignedIn`. */
  waitForLink(userId: string): Promise<boolean>
  /** Ends the sessions, pending sign-ins and reset links of an account. */
  endSignIns(tx: Tx, userId: string): Promise<void>
  /** Clears the counters of all limits for this email, such as failed sign-ins. */
  clearLimits(tx: Tx, email: string): Promise<void>
  /** A worker opens the folder in the file store. Refuses it if the account's files may not be stored there. */
  requireFolder(userId: string, folderId: string): Promise<void>
  /** Emails the owner of an account that staff set a temporary password. The password is not in the email. */
  notifyOfTemporaryPassword(tx: Tx, userId: string): Promise<void>
  /** Streams the decrypted bytes of an upload that the file store does not have yet. */
  readUpload(upload: { id: string; userId: string; size: number }): Readable
  /** Deletes unverified sign-ups with this email. Returns their ids and those of their challenges. */
  deleteSignUps(tx: Tx, email: string): Promise<{ ids: string[]; challengeIds: string[] }>
  /** Runs `send` for the hand-off of this phone, or refuses a phone whose hand-off is over. */
  withHandOff(phoneToken: string, send: (handOff: HandOffUpload) => Promise<void>): Promise<void>
}

/** The one document that a phone without a session may send for an account (`@guidon/contract/hand-off`). */
interface HandOffUpload {
  userId: string
  handOffId: string
  documentType: string
  documentId: string | undefined
  /** Whether this very file has arrived before. Refuses another file once one has arrived. */
  hasArrived(sha256: Buffer): boolean
  /** Uses the hand-off up. Call it in the transaction that adds the document. */
  markArrived(tx: Tx, documentId: string, sha256: Buffer): Promise<void>
}

/** One part of the record that `admin export` writes. */
export interface Export<Parts extends Record<string, unknown> = Record<string, unknown>> {
  /** Returns named parts of the record, as the transaction sees them. */
  read(tx: Tx, userId: string): Promise<Parts>
  /** Files of these parts that no other system has yet. */
  files?(parts: Parts, userId: string): ExportedFile[]
}

interface ExportedFile {
  name: string
  open(): Readable
  /** Whether it was deleted after `read`. It is then left out; without this, the export fails. */
  isGone?(): Promise<boolean>
}

/** Encrypts a batch of rows again with the first of DATA_KEYS. Returns how many rows it changed; 0 ends the run. */
export type Reencrypt = (tx: Tx, sealer: Sealer) => Promise<number>

export interface NamedRetention extends Retention {
  table: string
}

/** What happens to the rows of a table. Every table belongs to one feature. */
type TableRule = {
  /** When rows are deleted or partitions dropped, or why they are kept. */
  retention: Retention | `${'dropped' | 'kept'}: ${string}`
} & (
  | { noPersonalData: string }
  | {
      /** The part of the exported record with these rows, or `not exported: ` and why. */
      export: string
      /** `cascade`: deleted with the row of the account. Else how the rows are erased. */
      erase: 'cascade' | `${'deleted' | 'emptied' | 'kept'}: ${string}`
    }
)

export interface Feature<Services extends object = object> {
  name: string
  tables?: Partial<Record<keyof Schema, TableRule>>
  jobs?: readonly Job[]
  serve?(app: FastifyInstance, parts: ServerParts): void
  work?(parts: WorkerParts): readonly Work[]
  /** How each kind of outbox entry is sent to the CRM. */
  crm?(parts: Pick<WorkerParts, 'sealer' | 'links'>): Partial<Record<OutboxKind, Sender>>
  /** Backlog and state that the worker reports at each scrape. */
  gauges?(parts: Pick<AdminParts, 'db' | 'queues'>): readonly GaugeSource[]
  export?(parts: Pick<AdminParts, 'db' | 'sealer'>): Export
  encrypted?: Partial<Record<keyof Schema, Reencrypt>>
  /** Services for the commands below. */
  admin?(parts: AdminParts): Services
  commands?: Record<string, Command<Services>>
}

export function feature<Services extends object = object>(
  definition: Feature<Services>,
): Feature<Services> {
  return definition
}
