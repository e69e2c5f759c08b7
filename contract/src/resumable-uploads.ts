import * as z from 'zod/mini'
import { document } from './documents.ts'
import { byId, endpoint } from './endpoint.ts'
import type { Refusal } from './refusal.ts'

/**
 * Uploads that continue after a lost connection, by version 1.0.0 of the tus protocol: creation, HEAD, PATCH,
 * termination and expiration. One call is our own: `finishUpload`, which checks the file and makes it a document.
 */

const MEGABYTE = 1024 * 1024

export const TUS_VERSION = '1.0.0'
export const PART_TYPE = 'application/offset+octet-stream'
/** The most that one PATCH may carry: the session is checked again for each. */
export const PART_MAX_BYTES = 8 * MEGABYTE
/** The least, except for the rest of the file. Storing less costs the server several times what it receives. */
export const PART_MIN_BYTES = 32 * 1024
/** The server hashes and encrypts a file in pieces of at most this size. */
export const CHUNK_BYTES = MEGABYTE
export const UNFINISHED_MAX = 3
export const UNFINISHED_HOURS = 24

/**
 * Fields of `Upload-Metadata`, each in Base64. `documentId` is the requested document that the file is for, as in
 * `uploadDocument`; `replaces` is the document that gets a new file, as in `replaceDocument`.
 */
export const UPLOAD_METADATA = [
  'filename',
  'documentType',
  'documentId',
  'replaces',
  'note',
] as const
export type UploadMetadata = Partial<Record<(typeof UPLOAD_METADATA)[number], string>>

export const tooManyUnfinished: Refusal = {
  status: 429,
  code: 'too_many_unfinished',
  message:
    `You have ${UNFINISHED_MAX} uploads that are not finished. ` +
    'Please continue or remove one of them first.',
}

/** `PATCH` must start where the stored bytes end. */
export const wrongOffset: Refusal = {
  status: 409,
  code: 'wrong_offset',
  message: 'The upload continues at another place.',
}

/** Of the tus protocol, in `Tus-Resumable`. */
export const wrongVersion: Refusal = {
  status: 412,
  code: 'wrong_version',
  message: 'This version of the upload protocol is not supported.',
}

/** More than `PART_MAX_BYTES`, or more than the rest of the file. */
export const partTooLarge: Refusal = {
  status: 413,
  code: 'part_too_large',
  message: 'This part of the file is too large.',
}

/** Less than `PART_MIN_BYTES`, and not the rest of the file. */
export const partTooSmall: Refusal = {
  status: 400,
  code: 'part_too_small',
  message: 'This part of the file is too small.',
}

export const uploadIncomplete: Refusal = {
  status: 409,
  code: 'upload_incomplete',
  message: 'The file has not arrived completely yet.',
}

export const unfinishedUpload = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number(),
  /** How many bytes are stored. */
  offset: z.number(),
  /** ISO timestamp. */
  expiresAt: z.string(),
  documentType: z.nullable(z.string()),
  documentId: z.nullable(z.string()),
  replaces: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /** Each has at most `CHUNK_BYTES`, and ends where the next one or the missing bytes start. SHA-256 in hexadecimal. */
  chunks: z.array(z.object({ start: z.number(), sha256: z.string() })),
})
export type UnfinishedUpload = z.infer<typeof unfinishedUpload>

const own = { session: 'required', roles: ['USER'] } as const
const FAILURE = 'Failed to upload document, please try again later.'

export const getUnfinishedUploads = endpoint({
  method: 'GET',
  path: '/uploads/me',
  ...own,
  response: z.array(unfinishedUpload),
  failure: 'Failed to get unfinished uploads.',
})

/** Needs `Upload-Length` and `Upload-Metadata`. The response has `Location` and `Upload-Expires`. */
export const createUpload = endpoint({
  method: 'POST',
  path: '/uploads/me',
  ...own,
  status: 201,
  failure: FAILURE,
})

/** The response has `Upload-Offset` and `Upload-Length`. */
export const getUploadOffset = endpoint({
  method: 'HEAD',
  path: '/uploads/me/{id}',
  params: byId,
  ...own,
  status: 200,
  failure: FAILURE,
})

/**
 * The body are the bytes from `Upload-Offset` on: at most `PART_MAX_BYTES` (8 MiB), or the response is 413, and at least
 * `PART_MIN_BYTES` (32 KiB) or the rest of the file, or it is 400. A client sends a larger file in several parts. What
 * arrived before a lost connection is kept, unless it is less than `PART_MIN_BYTES`.
 */
export const appendToUpload = endpoint({
  method: 'PATCH',
  path: '/uploads/me/{id}',
  params: byId,
  ...own,
  status: 204,
  failure: FAILURE,
})

export const deleteUpload = endpoint({
  method: 'DELETE',
  path: '/uploads/me/{id}',
  params: byId,
  ...own,
  failure: 'Failed to remove the upload, please try again later.',
})

/**
 * Checks the whole file. A repetition after a lost response returns the same document with status 200, or the same
 * refusal.
 */
export const finishUpload = endpoint({
  method: 'POST',
  path: '/uploads/me/{id}/finish',
  params: byId,
  ...own,
  status: 201,
  response: document,
  failure: FAILURE,
})
