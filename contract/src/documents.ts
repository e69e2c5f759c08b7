import * as z from 'zod/mini'
import { notInCrm } from './crm-refusals.ts'
import { byId, endpoint } from './endpoint.ts'
import { DOCUMENT_TYPE_MAX, ID_MAX } from './limits.ts'
import type { Refusal } from './refusal.ts'
import { identifier, text } from './text.ts'

/**
 * `received`: the portal has the file. `delayed`: the file store has it, and the CRM cannot get it until staff correct
 * something. `inRecords`: both have it. The staff set the last two.
 */
export const DOCUMENT_STATUSES = [
  'requested',
  'received',
  'delayed',
  'inRecords',
  'reviewed',
  'notUsable',
] as const
export const documentStatus = z.enum(DOCUMENT_STATUSES)
export type DocumentStatus = z.infer<typeof documentStatus>
/** The statuses that the CRM knows. */
export type CrmDocumentStatus = Exclude<DocumentStatus, 'delayed' | 'inRecords'>

const KNOWN_STATUSES: ReadonlySet<unknown> = new Set([...DOCUMENT_STATUSES, null])

/** An open tab still shows a document that has a status of a later release. */
const knownStatus = z.pipe(
  z.transform((status: DocumentStatus | null | undefined) =>
    KNOWN_STATUSES.has(status) ? status : undefined,
  ),
  z.nullish(documentStatus),
)

/** A document without a file id is requested and not uploaded yet. */
export const document = z.object({
  id: z.string(),
  name: z.string(),
  type: z.nullable(z.string()),
  boxFileId: z.nullable(z.string()),
  /** ISO timestamp. */
  lastUploadedDate: z.nullable(z.string()),
  /** Bytes and hexadecimal SHA-256 of a file that was uploaded through the portal. */
  size: z.nullable(z.number()),
  sha256: z.nullable(z.string()),
  /** What the veteran wrote about the file. */
  note: z.nullish(z.string()),
  /** The request that this file answers. */
  request: z.nullish(z.object({ id: z.string(), name: z.string() })),
  /** yyyy-mm-dd: the last day for sending a requested document. Null once it is sent. */
  due: z.nullish(z.string()),
  /** Why the provider needs a requested document. */
  why: z.nullish(z.string()),
  /**
   * Of the current file. Null for a file that the file store refused, and for a request if the provider keeps no status.
   * Undefined if it is one of a later release.
   */
  status: z.optional(knownStatus),
  /** Why the file cannot be used. */
  statusReason: z.nullish(z.string()),
})
export type Document = z.infer<typeof document>

const staffDocument = z.extend(document, {
  /** A form with scripts, which run in the PDF viewer. */
  hasScripts: z.boolean(),
  /** Why nobody can open the file: what Salesforce has is no id of Box, or the file is not in the veteran's folder. */
  fileProblem: z.nullish(z.enum(['noId', 'misplaced'])),
  /** Why a file that the file store has is not with the contact in the CRM. */
  notInCrm: z.nullish(notInCrm),
})
export type StaffDocument = z.infer<typeof staffDocument>
export const HAS_SCRIPTS = 'Contains form scripts'

export const getDocuments = endpoint({
  method: 'GET',
  path: '/salesforce/documents/me',
  session: 'required',
  roles: ['USER'],
  response: z.array(document),
  failure: 'Failed to get user documents.',
})

/** For staff: the documents of the portal's user that is linked to this Salesforce ID. */
export const getDocumentsOf = endpoint({
  method: 'GET',
  path: '/salesforce/documents/{id}',
  params: byId,
  session: 'required',
  roles: ['STAFF', 'ADMIN'],
  response: z.array(staffDocument),
  failure: 'Failed to load documents. Please try again later.',
})

export const MAX_FILES = 3
/** Files of this size or more are sent in parts (`resumable-uploads.ts`), smaller ones in a single request. */
export const RESUMABLE_MIN_BYTES = 5 * 1024 * 1024
export const TOO_MANY_FILES = `You can only upload up to ${MAX_FILES} documents at a time.`
export const NO_CATEGORY_MESSAGE = 'Please select a category for each file.'
export const UPLOAD_DIALOG_CLOSES_SECONDS = 2
export const WRONG_TYPE_TOAST_SECONDS = 5
export const UPLOADED = 'Your document has been uploaded successfully!'
export const uploadedDocuments = (names: readonly string[]): string =>
  `Successfully uploaded documents ${names.join(', ')}`
export const UPLOAD_FAILED_UNEXPECTEDLY = 'An unexpected error occurred while uploading documents.'
/** Followed by one line per file. */
export const FAILED_TO_UPLOAD = 'Failed to upload:'

export const documentExists: Refusal = {
  status: 409,
  code: 'document_exists',
  message: 'A document with the same name already exists.',
}

export const tooManyUploads: Refusal = {
  status: 429,
  code: 'too_many_uploads',
  message: `${TOO_MANY_FILES} Please try again when the others are done.`,
}

export const NOTE_MAX = 500
/** What a veteran writes about a file. An empty note is none. */
export const documentNote = text({ max: NOTE_MAX })

export const uploadDocument = endpoint({
  method: 'POST',
  path: '/box/uploadfile/me',
  session: 'required',
  roles: ['USER'],
  status: 201,
  form: z.object({
    documentType: text({ max: DOCUMENT_TYPE_MAX, required: NO_CATEGORY_MESSAGE }),
    /**
     * The requested document that this file is for. Without it, the file answers the oldest open request of its
     * category, if there is one. A file of the category Other answers none.
     */
    documentId: z.optional(identifier(ID_MAX)),
    note: z.optional(documentNote),
  }),
  response: document,
  failure: 'Failed to upload document, please try again later.',
})

/** A new version of a file. The id is Box's, or the document's own until the file is stored in Box. */
export const replaceDocument = endpoint({
  method: 'POST',
  path: '/box/version/{id}',
  params: byId,
  session: 'required',
  roles: ['USER'],
  /** The note of the previous file does not apply to the new one. */
  form: z.object({ note: z.optional(documentNote) }),
  response: document,
  failure: 'Failed to replace document, please try again later.',
})

/** Always the last choice, and the only one when the list cannot be fetched. */
export const OTHER_CATEGORY = 'Other'

export const getDocumentCategories = endpoint({
  method: 'GET',
  path: '/salesforce/document-categories/me',
  session: 'required',
  roles: ['USER'],
  response: z.array(z.string()),
  failure: 'Failed to get file categories.',
})
