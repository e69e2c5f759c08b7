import type { ContactMethod } from '@guidon/contract/contact'
import type { IntakeAnswers } from '@guidon/contract/intake'

/** The provider's system of record, in our words. No vendor's name, field or error passes this line. */

interface Row {
  id: string
  /** When the row last changed there, in ISO format. */
  modifiedAt: string
  deleted: boolean
}

export interface ContactRow extends Row {
  /** The account of the portal that this contact belongs to. */
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
}

/** Someone of the provider's, such as a case manager. */
export interface UserRow extends Row {
  name: string
  email: string | null
  phone: string | null
}

export interface AppointmentRow extends Row {
  contactId: string
  /** yyyy-mm-dd and HH:MM on the clinic's wall: never shifted by a time zone. */
  date: string
  time: string
  clinicName: string | null
  clinicPhone: string | null
  /** Neither cancelled nor over and done with. */
  scheduled: boolean
}

export interface DocumentRow extends Row {
  contactId: string
  /** Our own id, where the document came from the portal. */
  portalDocumentId: string | null
  name: string
  type: string | null
  /** Absent while the document is only asked for. */
  boxFileId: string | null
  lastUploadedAt: string | null
}

export interface DocumentCategoryRow extends Row {
  name: string
  sort: number
}

/** What is mirrored. */
export interface RowOf {
  contact: ContactRow
  user: UserRow
  appointment: AppointmentRow
  document: DocumentRow
  documentCategory: DocumentCategoryRow
}
export type Kind = keyof RowOf
export const KINDS = [
  'contact',
  'user',
  'appointment',
  'document',
  'documentCategory',
] as const satisfies readonly Kind[]

/** A place in the order of changes: rows after it are those changed later, or at the same time with a higher id. */
export interface Cursor {
  at: string
  id: string
}

export interface Page<R> {
  /** In the order of changes; deleted rows among them. */
  rows: R[]
  /** More may follow the last row. */
  full: boolean
  /** The CRM's own clock when it answered. */
  asOf: string
}

/** All that the portal shows of one veteran. */
export interface VeteranRows {
  contact: ContactRow | undefined
  caseManager: UserRow | undefined
  appointments: AppointmentRow[]
  documents: DocumentRow[]
}

export interface OutgoingContact {
  userId: string
  firstName: string
  lastName: string
  email: string
  phone: string
  state: string | null
  street?: string | null
  city?: string | null
  zip?: string | null
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
  /** The CRM's own row, where the document answers a request of the provider's. */
  crmId?: string
  userId: string
  name: string
  type: string
  boxFileId: string
  uploadedAt: Date
}

export interface Usage {
  used: number
  limit: number
}

export interface Crm {
  /** One page of what changed after the cursor. */
  changes<K extends Kind>(kind: K, after: Cursor): Promise<Page<RowOf[K]>>
  /** Rows that are not deleted. */
  count(kind: Kind): Promise<number>
  /** Everything about one veteran, in one call of the quota. */
  veteran(contactId: string): Promise<VeteranRows>
  /** Those with this email, and the one that carries the user's id whatever its email. */
  findContacts(email: string, userId: string): Promise<ContactRow[]>

  /** Creates or updates by our own id, so that a repeat changes nothing. Answers the CRM's id. */
  upsertContact(contact: OutgoingContact): Promise<string>
  /** From then on this contact, and no other, carries the user's id. */
  linkContact(contactId: string, userId: string): Promise<void>
  /** From then on this contact no longer carries the user's id; another user's it keeps. */
  unlinkContact(contactId: string, userId: string): Promise<void>
  /** Where the contact has none; the mirror may not have seen yet that the provider set one. */
  setBoxFolder(contactId: string, boxFolderId: string): Promise<void>
  upsertContactRequest(request: OutgoingContactRequest): Promise<string>
  upsertIntake(intake: OutgoingIntake): Promise<string>
  upsertDocument(document: OutgoingDocument): Promise<string>

  /** Calls of the last 24 hours, as the CRM counted them at the last answer; undefined before the first. */
  usage(): Usage | undefined
  /** Throws where the CRM lacks an object, a field or a value that the portal names. */
  verify(): Promise<void>
  close(): Promise<void>
}

/** It did not answer, or not now: worth another try. */
export class CrmUnavailable extends Error {
  override name = 'CrmUnavailable'
  readonly code: string
  constructor(code: string, options?: ErrorOptions) {
    super(`The CRM is not available (${code})`, options)
    this.code = code
  }
}

/** It understood and said no; the same again would get the same answer. */
export class CrmRefused extends Error {
  override name = 'CrmRefused'
  readonly code: string
  constructor(code: string, options?: ErrorOptions) {
    super(`The CRM refused (${code})`, options)
    this.code = code
  }
}
