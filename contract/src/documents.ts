import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A document without a file id is asked for and not there yet. */
export const document = z.object({
  id: z.string(),
  name: z.string(),
  type: z.nullable(z.string()),
  boxFileId: z.nullable(z.string()),
  /** A moment, in ISO format. */
  lastUploadedDate: z.nullable(z.string()),
})
export type Document = z.infer<typeof document>

export const getDocuments = endpoint({
  method: 'GET',
  path: '/salesforce/documents/me',
  session: 'required',
  roles: ['USER'],
  answer: z.array(document),
  failure: 'Failed to get user documents.',
})

/** For staff: the documents of the portal's user that is linked to this Salesforce ID. */
export const getDocumentsOf = endpoint({
  method: 'GET',
  path: '/salesforce/documents/{id}',
  session: 'required',
  roles: ['STAFF', 'ADMIN'],
  answer: z.array(document),
  failure: 'Failed to load documents. Please try again later.',
})

/** The last choice, whatever else there is, and the only one when the list cannot be had. */
export const OTHER_CATEGORY = 'Other'

export const getDocumentCategories = endpoint({
  method: 'GET',
  path: '/salesforce/document-categories/me',
  session: 'required',
  roles: ['USER'],
  answer: z.array(z.string()),
  failure: 'Failed to get file categories.',
})
