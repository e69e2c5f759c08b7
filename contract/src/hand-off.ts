import * as z from 'zod/mini'
import { uploadDocument } from './documents.ts'
import { byId, endpoint } from './endpoint.ts'
import type { Refusal } from './refusal.ts'
import { identifier } from './text.ts'

/**
 * A hand-off lets a phone without a session send one document for an account: the computer shows a QR code, and the
 * first phone that scans it is connected.
 */

/** How long the code can be scanned. After that, each photo starts this time anew. */
export const HAND_OFF_MINUTES = 15
/** From showing the code to the last photo. */
export const HAND_OFF_MINUTES_MAX = 60
export const HAND_OFF_POLL_SECONDS = 2
export const PAGES_MAX = 500
/** Wrong codes from one IP address in 15 minutes. */
export const WRONG_HAND_OFFS_FROM_ADDRESS = 60
/** New codes of one account in 15 minutes. */
export const HAND_OFFS_OF_ACCOUNT = 30

/** How often the phone may start to send a file with one code. */
export const HAND_OFF_TRIES = 20

const TOKEN_LENGTH = 43
/** 256 bits in base64url. */
export const handOffToken = identifier(TOKEN_LENGTH, new RegExp(`^[\\w-]{${TOKEN_LENGTH}}$`))

/** Unknown, expired, ended by the computer, or of an account that is not active. */
export const handOffGone: Refusal = {
  status: 404,
  code: 'hand_off_gone',
  message: 'This code no longer works. Please show a new code on your computer and scan it.',
}
export const handOffTaken: Refusal = {
  status: 409,
  code: 'hand_off_taken',
  message:
    'This code was already used on another phone. If that was not you, close the code on your computer. ' +
    'Then show a new code and scan it.',
}
/** For a second file. The same file again is no refusal. */
export const handOffUsed: Refusal = {
  status: 409,
  code: 'hand_off_used',
  message:
    'One document has already arrived with this code. To send another one, show a new code on your computer.',
}

/** Too many files were refused or cut off. */
export const handOffTooManyTries: Refusal = {
  status: 429,
  code: 'hand_off_too_many_tries',
  message:
    'Too many files were tried with this code. Please show a new code on your computer and scan it.',
}

/**
 * `waiting`: no phone yet. `sending`: a file is being received and checked. `arrived`: the document is stored, and
 * nothing more can be sent. `expired`: the time is over.
 */
export const HAND_OFF_STATES = ['waiting', 'connected', 'sending', 'arrived', 'expired'] as const
const state = z.enum(HAND_OFF_STATES)
export type HandOffState = z.infer<typeof state>

const secondsLeft = z.number()

const own = { session: 'required', roles: ['USER'] } as const

/** Ends an earlier hand-off of the account. */
export const createHandOff = endpoint({
  method: 'POST',
  path: '/hand-offs/me',
  ...own,
  status: 201,
  /** What `uploadDocument` would get with the file. A phone sends no note. */
  body: z.omit(uploadDocument.form, { note: true }),
  response: z.object({ id: z.string(), token: z.string(), secondsLeft }),
  failure: 'Failed to make a code for your phone, please try again later.',
})

export const getHandOff = endpoint({
  method: 'GET',
  path: '/hand-offs/me/{id}',
  params: byId,
  ...own,
  inBackground: true,
  response: z.object({
    state,
    /** How many photos the phone has. */
    pages: z.number(),
    secondsLeft,
    /** Of the document, once it has arrived. */
    documentId: z.nullable(z.string()),
  }),
  failure: 'Failed to see what your phone does.',
})
export type HandOff = z.infer<typeof getHandOff.response>

/** Without effect while a file is being sent. */
export const endHandOff = endpoint({
  method: 'DELETE',
  path: '/hand-offs/me/{id}',
  params: byId,
  ...own,
  failure: 'Failed to end the code for your phone.',
})

/** The hand-off as its phone sees it. */
const slot = z.object({
  /** Of the document that the provider asked for; null if it asked for none. */
  name: z.nullable(z.string()),
  state,
  secondsLeft,
})
export type HandOffSlot = z.infer<typeof slot>

/** Connects the first phone. `attempt`: chosen at random by the phone, which repeats it after a lost response. */
export const openHandOff = endpoint({
  method: 'POST',
  path: '/hand-offs/open',
  session: 'none',
  body: z.object({ token: handOffToken, attempt: handOffToken }),
  response: slot,
  failure: 'We could not check your code. Please try again.',
})

export const getSlot = endpoint({
  method: 'GET',
  path: '/hand-offs/slot',
  session: 'phone',
  response: slot,
  failure: 'We could not check your code. Please try again.',
})

/** Also gives more time. */
export const reportPages = endpoint({
  method: 'POST',
  path: '/hand-offs/pages',
  session: 'phone',
  body: z.object({ pages: z.number().check(z.int(), z.minimum(0), z.maximum(PAGES_MAX)) }),
  response: slot,
  failure: 'We could not check your code. Please try again.',
})

/** The same file again, after a lost response, is a success without effect. */
export const sendFromPhone = endpoint({
  method: 'POST',
  path: '/hand-offs/file',
  session: 'phone',
  form: z.object({}),
  failure: 'Your document did not arrive. Please try again.',
})
