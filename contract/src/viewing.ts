import * as z from 'zod/mini'
import { byId, endpoint } from './endpoint.ts'
import { ID_MAX } from './limits.ts'
import type { Refusal } from './refusal.ts'
import { identifier } from './text.ts'
import { waitInWords } from './wait.ts'

/** The bytes of a document, if the provider has switched viewing on; else these endpoints respond 404. */

/** Files that one account may load at the same time, from one API process. */
export const VIEWS_AT_ONCE = 3
/** Checks and loads of one account. Each may need a call to the file store, whose rate limit all accounts share. */
export const VIEWS_A_MINUTE = 60
/** What one account may load in an hour. */
export const VIEW_MEGABYTES_AN_HOUR = 2_000

/**
 * `view` shows a photo in the browser and downloads any other file. `check` responds without the bytes: a screen can
 * then say why a file cannot be opened, which an image or a download cannot.
 */
const query = z.object({ as: z.optional(z.enum(['view', 'download', 'check'])) })

const FAILURE = 'We could not open this file. Please try again later.'

export const getContent = endpoint({
  method: 'GET',
  path: '/documents/me/{id}/content',
  params: byId,
  query,
  session: 'required',
  roles: ['USER'],
  status: 200,
  failure: FAILURE,
})

/** For staff. Each view is recorded in the audit log. */
export const getContentOf = endpoint({
  method: 'GET',
  path: '/admin/users/{userId}/documents/{id}/content',
  params: z.object({ userId: identifier(ID_MAX), id: identifier(ID_MAX) }),
  query,
  session: 'required',
  roles: ['STAFF', 'ADMIN'],
  status: 200,
  failure: FAILURE,
})

/** Whether the browser can show the file. Names of files that were uploaded here have the extension of their content. */
export const isPhoto = (name: string): boolean => /\.jpe?g$/i.test(name)

export const fileGone: Refusal = {
  status: 404,
  code: 'file_gone',
  message: 'This file is no longer in our records.',
}
export const filesUnavailable: Refusal = {
  status: 503,
  code: 'files_unavailable',
  message: 'We cannot get this file right now. Please try again in a few minutes.',
}
export const tooManyViews: Refusal = {
  status: 429,
  code: 'too_many_views',
  message: 'Other files are still loading. Please try again when they are done.',
}
export const viewsBusy: Refusal = {
  status: 503,
  code: 'views_busy',
  message: 'Many people are opening files right now. Please try again in a minute.',
}
/** `seconds`: until more can be loaded. */
export const viewQuotaReached = (seconds: number): Refusal => ({
  status: 429,
  code: 'view_quota',
  message: `You have opened a lot of files. You can open more ${waitInWords(seconds)}.`,
})
