import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const caseEvent = z.object({
  /** ISO timestamp. */
  at: z.string(),
  /** In words for the veteran. */
  what: z.string(),
})
export type CaseEvent = z.infer<typeof caseEvent>

export const CASE_EVENTS_MAX = 50

/** What happened to the documents and claims of the veteran, newest first. */
export const getCaseActivity = endpoint({
  method: 'GET',
  path: '/activity/me',
  session: 'required',
  roles: ['USER'],
  response: z.array(caseEvent),
  failure: 'Failed to get recent activity.',
})

/** How often an open Home asks whether anything has changed. */
export const CASE_CHECK_SECONDS = 15

/** Changes whenever something on Home changes. Home then reads its parts again. */
export const getCaseVersion = endpoint({
  method: 'GET',
  path: '/activity/version/me',
  session: 'required',
  roles: ['USER'],
  inBackground: true,
  response: z.object({
    version: z.string(),
    /** Whether the account has uploads that can be continued. */
    hasUnfinishedUploads: z.boolean(),
  }),
  failure: 'Failed to check for changes.',
})
