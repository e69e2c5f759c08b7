import * as z from 'zod/mini'

/** Body of every response that is not a success. Without a message, the client shows the endpoint's `failure`. */
export const refusalBody = z.object({
  code: z.string(),
  message: z.optional(z.string()),
  fields: z.optional(z.record(z.string(), z.string())),
})
export type RefusalBody = z.infer<typeof refusalBody>

type RefusalStatus = 400 | 401 | 403 | 404 | 408 | 409 | 412 | 413 | 415 | 422 | 429 | 503

/** An expected refusal: a stable code for programs and a message for the veteran. */
export interface Refusal {
  status: RefusalStatus
  code: string
  message: string
}

export const noSession: Refusal = {
  status: 401,
  code: 'no_session',
  message: 'Your session has ended. Please sign in again.',
}
export const wrongRole: Refusal = {
  status: 403,
  code: 'wrong_role',
  message: 'Your account does not have access to this page.',
}
export const wrongOrigin: Refusal = {
  status: 403,
  code: 'wrong_origin',
  message: 'This request did not come from the portal.',
}
export const notFound: Refusal = {
  status: 404,
  code: 'not_found',
  message: 'We could not find that.',
}
export const invalidInput: Refusal = {
  status: 422,
  code: 'invalid_input',
  message: 'Please check the highlighted fields.',
}
/**
 * While the database has no primary. The request can be repeated. Without a message, so that the screen shows the
 * endpoint's `failure`.
 */
export const UNAVAILABLE = { status: 503, code: 'unavailable' } as const

export const tooBusy: Refusal = {
  status: 503,
  code: 'too_busy',
  message: 'Many people are signing in right now. Please try again in a minute.',
}
