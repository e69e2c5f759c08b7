import * as z from 'zod/mini'
import { byId, endpoint } from './endpoint.ts'
import { LINK_REASON_MAX, LINK_REASON_MIN, NOT_ME_TOKEN_MAX } from './limits.ts'
import { salesforceId } from './manage-users.ts'
import type { Refusal } from './refusal.ts'
import { identifier, textOfLines } from './text.ts'

/** The bond between an account and a contact of the CRM: how it came about, and what staff are asked about it. */

/** How an account came to its contact. `portal`: the portal made the contact for the account. */
export const LINK_ORIGINS = ['signUp', 'portal', 'staff', 'merge'] as const
export type LinkOrigin = (typeof LINK_ORIGINS)[number]

/** Why staff are asked. The screens have a sentence for each. */
export const LINK_QUESTIONS = [
  /** Email, or both last name and phone, differ. */
  'differs',
  /** Several contacts have the account's email and name or phone. */
  'severalMatch',
  /** Another account had the contact before. */
  'hadOtherAccount',
  /** Staff ended the same link before. */
  'otherContact',
  /** Another contact was merged into the contact of the account. */
  'merged',
  /** Records of another contact were moved to the contact of the account. */
  'moved',
  /** The contact of the account is deleted, or was merged into one that the account may not have. */
  'contactGone',
  /** The owner of the account says that the contact is somebody else. */
  'notMe',
  /** Nightly: the link would not be made today. */
  'ruleChanged',
] as const
export type LinkQuestion = (typeof LINK_QUESTIONS)[number]

/** Why an account may not have a contact, even if staff confirm it. */
export const LINK_OBSTACLES = ['deceased', 'inactive', 'linkedElsewhere', 'contactGone'] as const
export type LinkObstacle = (typeof LINK_OBSTACLES)[number]

/** What is compared, in the order of the screen. */
export const COMPARED = ['lastName', 'firstName', 'email', 'phone', 'state', 'boxFolder'] as const

const comparison = z.object({
  field: z.enum(COMPARED),
  account: z.nullable(z.string()),
  contact: z.nullable(z.string()),
  same: z.boolean(),
})
export type Comparison = z.infer<typeof comparison>

/** An account and a contact beside each other. */
const sides = z.object({
  account: z.object({
    id: z.string(),
    name: z.string(),
    emailVerifiedAt: z.string(),
    /** The contact that it has now. */
    contactId: z.nullable(z.string()),
  }),
  /** Null if the portal has not read it, or it is deleted. */
  contact: z.nullable(
    z.object({ id: z.string(), name: z.string(), phone: z.nullable(z.string()) }),
  ),
  compared: z.array(comparison),
  /** The account that has the contact, or had it before. */
  otherAccount: z.nullable(z.object({ name: z.string(), email: z.string(), now: z.boolean() })),
  obstacle: z.nullable(z.enum(LINK_OBSTACLES)),
})
export type Sides = z.infer<typeof sides>

const question = z.enum(LINK_QUESTIONS)

const linkToConfirm = z.object({
  id: z.string(),
  accountName: z.string(),
  accountEmail: z.string(),
  contactName: z.nullable(z.string()),
  contactId: z.string(),
  question,
  askedAt: z.string(),
})
export type LinkToConfirm = z.infer<typeof linkToConfirm>

const STAFF_ROLES = ['STAFF', 'ADMIN'] as const

/** The oldest first. */
export const LINKS_LISTED_MAX = 200

export const listLinksToConfirm = endpoint({
  method: 'GET',
  path: '/admin/links',
  session: 'required',
  roles: STAFF_ROLES,
  response: z.object({
    links: z.array(linkToConfirm),
    /** Also of those that are not listed. */
    total: z.number(),
  }),
  failure: 'Failed to load the links to confirm. Please try again later.',
})

const linkDetails = z.extend(sides, {
  id: z.string(),
  question: z.nullable(question),
  askedAt: z.nullable(z.string()),
  /** Whether the account sees the contact's records meanwhile. */
  isLive: z.boolean(),
  /** The contact whose records came to this one. */
  fromContactId: z.nullable(z.string()),
  /** How many records wait to be shown. */
  heldRecords: z.number(),
})
export type LinkDetails = z.infer<typeof linkDetails>

export const getLinkToConfirm = endpoint({
  method: 'GET',
  path: '/admin/links/{id}',
  params: byId,
  session: 'required',
  roles: STAFF_ROLES,
  response: linkDetails,
  failure: 'Failed to load the link. Please try again later.',
})

export const decideLink = endpoint({
  method: 'POST',
  path: '/admin/links/{id}/decision',
  params: byId,
  session: 'required',
  roles: STAFF_ROLES,
  body: z.object({
    decision: z.enum(['confirm', 'refuse']),
    reason: textOfLines({ max: LINK_REASON_MAX }).check(
      z.minLength(LINK_REASON_MIN, 'Write why, so that others can follow it later'),
    ),
  }),
  failure: 'Failed to save the decision. Please try again later.',
})

/** Whose contact an id is, before it is saved. */
export const previewContact = endpoint({
  method: 'GET',
  path: '/admin/users/{id}/contact',
  params: byId,
  session: 'required',
  roles: STAFF_ROLES,
  query: z.object({ salesforceId }),
  response: z.extend(sides, {
    /** Whether the link is made at once, or waits for a confirmation. Null if there is an obstacle. */
    asks: z.nullable(z.boolean()),
  }),
  failure: 'Failed to look up the contact. Please try again later.',
})

/** Signs the account out everywhere and hides the contact's records until staff have decided. */
export const reportNotMe = endpoint({
  method: 'POST',
  path: '/links/not-me',
  session: 'none',
  body: z.object({ token: identifier(NOT_ME_TOKEN_MAX) }),
  failure: 'Failed to report it. Please try again, or call us.',
})

export const linkGone: Refusal = {
  status: 409,
  code: 'link_gone',
  message: 'Somebody has decided about this link already.',
}
export const notMeVoid: Refusal = {
  status: 422,
  code: 'not_me_void',
  message: 'This link is no longer valid. Please call us.',
}
const OBSTACLE_MESSAGES: Record<LinkObstacle, string> = {
  deceased: 'This contact is marked as deceased. It cannot be linked.',
  inactive: 'This account is deactivated. It cannot be linked.',
  linkedElsewhere: 'This contact belongs to another account. Decide about that account first.',
  contactGone: 'This contact is deleted in Salesforce. Enter the ID of another one in Edit User.',
}
export const linkImpossible = (obstacle: LinkObstacle): Refusal => ({
  status: 409,
  code: 'link_impossible',
  message: OBSTACLE_MESSAGES[obstacle],
})
