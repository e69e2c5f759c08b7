import * as z from 'zod/mini'
import { byId, endpoint } from './endpoint.ts'
import type { Refusal } from './refusal.ts'
import { screens } from './screens.ts'
import { identifier } from './text.ts'

/**
 * What a veteran gets an email about, and can turn off. In the order of the switches. Links in sent emails refer to a
 * kind by its position, so only append.
 */
export const NOTICE_KINDS = [
  'documentRequested',
  'documentReviewed',
  'appointment',
  'claimStep',
  'caseManager',
  'intake',
] as const
export const noticeKind = z.enum(NOTICE_KINDS)
export type NoticeKind = z.infer<typeof noticeKind>

/** An account with this many bounces counts as unreachable. More than one: a single email can come back by mistake. */
export const BOUNCES_UNTIL_UNREACHABLE = 2
/** Emails that came back longer ago do not count. */
export const BOUNCE_DAYS = 30

/** Shown to the veteran when emails came back. The phone number of the provider follows. */
export const EMAIL_UNREACHABLE =
  'We could not reach you by email: our last messages came back. Please check that your mailbox is not full. If you now have another address, call'

const KNOWN_KINDS: ReadonlySet<unknown> = new Set(NOTICE_KINDS)

const noticeSwitch = z.object({ kind: noticeKind, on: z.boolean() })
export type NoticeSwitch = z.infer<typeof noticeSwitch>

/** Without kinds of a later release, so that an open tab still shows the others. */
const noticeSwitches = z.pipe(
  z.transform((switches: NoticeSwitch[]) =>
    Array.isArray(switches) ? switches.filter(({ kind }) => KNOWN_KINDS.has(kind)) : switches,
  ),
  z.array(noticeSwitch),
)

const preferences = z.object({
  /** Every kind once, in the order of `NOTICE_KINDS`. */
  switches: noticeSwitches,
})
export type NoticePreferences = z.infer<typeof preferences>

export const getNoticePreferences = endpoint({
  method: 'GET',
  path: '/notices/preferences/me',
  session: 'required',
  roles: ['USER'],
  response: preferences,
  failure: 'Failed to get your email settings.',
})

export const NOTICE_PREFERENCES_FAILED =
  'Failed to save your email settings. Please try again later.'

/** One switch, as it is flipped. */
export const setNoticePreference = endpoint({
  method: 'PATCH',
  path: '/notices/preferences/me',
  session: 'required',
  roles: ['USER'],
  body: noticeSwitch,
  response: preferences,
  failure: NOTICE_PREFERENCES_FAILED,
})

/** The query parameter of the links in emails. */
export const NOTICE_TOKEN_MAX = 120
export const noticeLinkToken = identifier(NOTICE_TOKEN_MAX)

/** For a link that is incomplete, forged, or of an account that no longer exists. */
export const noticeLinkVoid: Refusal = {
  status: 404,
  code: 'notice_link_void',
  message: 'This link does not work. Please sign in and open Settings to change your emails.',
}

/** The same switches for the link in an email. The signed token is the authority; there is no session. */
export const getNoticePreferencesByToken = endpoint({
  method: 'GET',
  path: '/notices/preferences',
  session: 'none',
  query: z.object({ token: noticeLinkToken }),
  response: preferences,
  failure: 'Failed to get your email settings.',
})

export const setNoticePreferenceByToken = endpoint({
  method: 'PATCH',
  path: '/notices/preferences',
  session: 'none',
  body: z.object({ token: noticeLinkToken, kind: noticeKind, on: z.boolean() }),
  response: preferences,
  failure: NOTICE_PREFERENCES_FAILED,
})

/**
 * The link in emails, with the parameter `token`. For a GET it is a screen with the switches, which changes nothing.
 * Mail providers POST to it when the reader unsubscribes in the mail program (RFC 8058).
 */
export const UNSUBSCRIBE_PATH = screens.unsubscribe

/** Turns off the kinds of the email that the token is from. */
export const unsubscribe = endpoint({
  method: 'POST',
  path: UNSUBSCRIBE_PATH,
  session: 'none',
  withoutOrigin: true,
  query: z.object({ token: noticeLinkToken }),
  failure: NOTICE_PREFERENCES_FAILED,
})

/** How far an email has come. It only moves forward. */
export const DELIVERY_STATES = ['queued', 'sent', 'delivered', 'failed'] as const
export const deliveryState = z.enum(DELIVERY_STATES)
export type DeliveryState = z.infer<typeof deliveryState>

/** Emails that are no notices, and cannot be turned off. */
export const OTHER_MAIL_WORDS = {
  code: 'Code to sign in',
  resetLink: 'Link to reset the password',
  security: 'Warning about the account',
  receipt: 'Receipt of documents or the intake',
} as const
export const OTHER_MAIL_KINDS = Object.keys(OTHER_MAIL_WORDS) as (keyof typeof OTHER_MAIL_WORDS)[]
export type OtherMailKind = keyof typeof OTHER_MAIL_WORDS
export type DeliveryKind = NoticeKind | OtherMailKind

export const delivery = z.object({
  id: z.string(),
  /** What it was about, never its text: see `deliveryLine`. A later release may have other kinds. */
  kinds: z.array(z.string()),
  state: deliveryState,
  /** ISO timestamps: when it was made, and when it reached its state. */
  queuedAt: z.string(),
  changedAt: z.string(),
  /** Why it came back: the code of the mail server, such as 5.1.1. */
  result: z.nullable(z.string()),
})
export type Delivery = z.infer<typeof delivery>

/** For staff. It says nothing about single emails, so its views are not audited. */
export const getEmailReachable = endpoint({
  method: 'GET',
  path: '/admin/users/{id}/email-reachable',
  params: byId,
  session: 'required',
  roles: ['STAFF', 'ADMIN'],
  /** False if the last emails came back: show `EMAIL_UNREACHABLE_STAFF`. */
  response: z.object({ emailReachable: z.boolean() }),
  failure: 'Failed to check the email address of this account.',
})

export const DELIVERIES_MAX = 100
/** Older emails are no longer listed. */
export const DELIVERY_DAYS = 90
/** For staff: the emails to an account, newest first. Each view is audited. */
export const getDeliveriesOf = endpoint({
  method: 'GET',
  path: '/admin/users/{id}/deliveries',
  params: byId,
  session: 'required',
  roles: ['STAFF', 'ADMIN'],
  response: z.object({ deliveries: z.array(delivery) }),
  failure: 'Failed to load the emails of this account.',
})
