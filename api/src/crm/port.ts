import type { ContactMethod } from '@guidon/contract/contact'
import type { CrmDocumentStatus } from '@guidon/contract/documents'
import type { IntakeAnswers } from '@guidon/contract/intake'
import type { Address } from '@guidon/contract/profile'

/** The provider's system of record, in the portal's own terms. Vendor names, fields and errors stay in the adapter. */

interface Row {
  id: string
  /** When the row last changed in the CRM, in ISO format. */
  modifiedAt: string
  deleted: boolean
}

export interface ContactRow extends Row {
  /** The id of the portal account. */
  portalUserId: string | null
  firstName: string | null
  lastName: string | null
  /** Lower-cased. */
  email: string | null
  /** As the provider wrote it. */
  phone: string | null
  street: string | null
  city: string | null
  state: string | null
  zip: string | null
  caseManagerId: string | null
  boxFolderId: string | null
  /** Null if the org does not say. */
  deceased: boolean | null
  /** The contact that survived, if this one was merged into it and is therefore deleted. */
  masterId: string | null
}

/** A member of the provider's staff, such as a case manager. */
export interface UserRow extends Row {
  name: string
  email: string | null
  phone: string | null
}

export interface AppointmentRow extends Row {
  contactId: string
  /** yyyy-mm-dd and HH:MM in the clinic's local time; never converted between time zones. */
  date: string
  time: string
  clinicName: string | null
  clinicPhone: string | null
  /** Neither cancelled nor completed. */
  scheduled: boolean
}

export interface DocumentRow extends Row {
  contactId: string
  /** The portal's id, if the document came from the portal. */
  portalDocumentId: string | null
  name: string
  type: string | null
  /** Null while the document is only requested. */
  boxFileId: string | null
  lastUploadedAt: string | null
  /** yyyy-mm-dd: until when the provider needs it. */
  dueDate: string | null
  /** Why the provider needs it. */
  reason: string | null
  status: CrmDocumentStatus | null
  /** Why it is in this status. */
  statusReason: string | null
}

export interface ClaimRow extends Row {
  contactId: string
  title: string | null
  /** The value of the stage in the CRM, and its label there. */
  stage: string
  stageLabel: string
  stageSince: string | null
  /** Why the claim is in this stage. */
  stageReason: string | null
  nextStep: string | null
  closed: boolean
}

export interface DocumentCategoryRow extends Row {
  name: string
  sort: number
}

export interface RowOf {
  contact: ContactRow
  user: UserRow
  appointment: AppointmentRow
  document: DocumentRow
  claim: ClaimRow
  documentCategory: DocumentCategoryRow
}
export type Kind = keyof RowOf
export const KINDS = [
  'contact',
  'user',
  'appointment',
  'document',
  'claim',
  'documentCategory',
] as const satisfies readonly Kind[]

/** A position in the order of changes, which is by time, then by id. */
export interface Cursor {
  at: string
  id: string
}

export interface Page<R> {
  /** Changes are in their order, including deleted rows. */
  rows: R[]
  /** Whether more rows may follow. */
  full: boolean
  /** The CRM's clock at the time of the response. */
  asOf: string
}

/** One page of changes of a kind. */
export interface Read {
  kind: Kind
  after: Cursor
}

/** What identifies one version of a row. */
export type Version = Pick<Row, 'id' | 'modifiedAt'>

/** Each row once. */
export interface VeteranRows {
  contacts: ContactRow[]
  caseManagers: UserRow[]
  appointments: AppointmentRow[]
  documents: DocumentRow[]
  claims: ClaimRow[]
}

/** Veterans that are read in one call, by their id or their email. */
export const MAX_PER_REFRESH = 200
export const MAX_PER_SEARCH = 100

export interface OutgoingContact extends Address {
  userId: string
  firstName: string
  lastName: string
  email: string
  phone: string
}

export interface OutgoingContactRequest {
  requestId: string
  userId: string
  method: ContactMethod
  requestedAt: Date
}

export interface OutgoingIntake {
  intakeId: string
  userId: string
  answers: IntakeAnswers
  submittedAt: Date
}

export interface OutgoingDocument {
  documentId: string
  /** The CRM's row, if the provider requested the document. */
  crmId?: string
  userId: string
  name: string
  type: string
  boxFileId: string
  uploadedAt: Date
  /** What the veteran wrote about the file. */
  note?: string | null
}

/** Writes are idempotent, and return the CRM's id of the row. */
export interface CrmOperations {
  /** The contacts with this email, and those that have the user's id. */
  findContacts: { given: { email: string; userId: string }; value: ContactRow[] }
  /** The folder of the contact, which the provider may have set after the mirror was read. */
  findBoxFolder: { given: { contactId: string }; value: string | null }
  /** Creates or updates by the portal's id. */
  upsertContact: { given: { contact: OutgoingContact }; value: string }
  /** Moves the user's id to this contact. */
  linkContact: { given: { contactId: string; userId: string }; value: string }
  /** Removes the user's id from this contact; another user's id stays. */
  unlinkContact: { given: { contactId: string; userId: string }; value: string }
  setAddress: { given: { contactId: string; address: Address }; value: string }
  setBoxFolder: { given: { contactId: string; boxFolderId: string }; value: string }
  upsertContactRequest: { given: { request: OutgoingContactRequest }; value: string }
  upsertIntake: { given: { intake: OutgoingIntake }; value: string }
  upsertDocument: { given: { document: OutgoingDocument }; value: string }
}
export type CrmOperation<Kinds extends keyof CrmOperations = keyof CrmOperations> = {
  [K in Kinds]: { kind: K } & CrmOperations[K]['given']
}[Kinds]

/** `did-not-fit`: did not fit into the call. `repeated`: the call writes the same row already. Neither was sent. */
export type CrmResult =
  | { value: unknown }
  | CrmRefused
  | CrmUnavailable
  | 'did-not-fit'
  | 'repeated'

/** Why a call of the quota is made. */
export const PURPOSES = ['tick', 'catch-up', 'refresh', 'send', 'reconcile', 'check'] as const
export type Purpose = (typeof PURPOSES)[number]

export interface Usage {
  used: number
  limit: number
}

/**
 * What is read of each kind, such as `phone: MobilePhone`. The mirror reads all rows of a kind again when its list
 * changes.
 */
export type ReadFields = { readonly [K in Kind]?: readonly string[] }

export interface Crm {
  /** One page of rows after the cursor, for a kind that is too far behind for `tick`. */
  changes<K extends Kind>(kind: K, after: Cursor): Promise<Page<RowOf[K]>>
  /**
   * One page of each kind, in the order of `reads`, of which there are at most five. Counts as one call of the
   * quota. A kind that fails does not affect the others.
   */
  tick(reads: readonly Read[]): Promise<PromiseSettledResult<Page<RowOf[Kind]>>[]>
  /** One page of the rows that are not deleted, in the byte order of their ids, after this id. */
  wholeRows<K extends Kind>(kind: K, afterId: string): Promise<Page<RowOf[K]>>
  /** Like `wholeRows`, without the content of the rows. */
  versions(kind: Kind, afterId: string): Promise<Page<Version>>
  /** The rows with these ids, at most 1,000, including deleted ones. Counts as one call of the quota. */
  rows<K extends Kind>(kind: K, ids: readonly string[]): Promise<RowOf[K][]>
  /** Up to `MAX_PER_REFRESH` veterans, as one call of the quota. Ids that no contact can have are ignored. */
  veterans(contactIds: readonly string[]): Promise<VeteranRows>
  /** Like `veterans`, of the contacts with one of up to `MAX_PER_SEARCH` emails. */
  veteransByEmail(emails: readonly string[]): Promise<VeteranRows>
  /** The contacts with this email, and the contact that has the user's id. */
  findContacts(email: string, userId: string): Promise<ContactRow[]>

  /**
   * Sends the operations together, as few calls as possible. Each has its own result, in the order of the operations.
   * Throws CrmUnavailable if nothing is known of any of them.
   */
  send(operations: readonly CrmOperation[]): Promise<CrmResult[]>

  /** Calls of the last 24 hours according to the last response; undefined before the first. */
  usage(): Usage | undefined
  /**
   * Must succeed before any other call. Throws `CrmMismatch` if the CRM lacks an object, a field or a value that
   * the portal uses. Returns the optional ones that it lacks; all other calls leave those out.
   */
  verify(): Promise<readonly string[]>
  /** What is read of each kind, according to the last `verify`. A kind that the CRM lacks is left out. */
  readFields(): ReadFields
  close(): Promise<void>
}

/** A temporary failure: try again later. */
export class CrmUnavailable extends Error {
  override name = 'CrmUnavailable'
  readonly code: string
  constructor(code: string, options?: ErrorOptions) {
    super(`The CRM is not available (${code})`, options)
    this.code = code
  }
}

/** Lists everything that the operator has to fix in the CRM. */
export class CrmMismatch extends Error {
  override name = 'CrmMismatch'
  readonly mismatches: readonly string[]
  constructor(mismatches: readonly string[]) {
    super('The CRM lacks what the portal uses')
    this.mismatches = mismatches
  }
}

/** A permanent refusal: trying again does not help. */
export class CrmRefused extends Error {
  override name = 'CrmRefused'
  readonly code: string
  constructor(code: string, options?: ErrorOptions) {
    super(`The CRM refused (${code})`, options)
    this.code = code
  }
}
