import { PHONE_DIGITS } from '@guidon/contract/limits'
import type { LinkObstacle, LinkQuestion } from '@guidon/contract/links'
import type { ContactHistory } from './links.sql.ts'

export interface LinkAccount {
  userId: string
  /** Verified. */
  email: string
  lastName: string
  phone: string
  isActive: boolean
}

export interface LinkContact {
  id: string
  email: string | null
  lastName: string | null
  phone: string | null
  deceased: boolean | null
}

export type Answer =
  | { answer: 'yes' }
  | { answer: 'ask'; question: LinkQuestion }
  | { answer: 'no'; because: LinkObstacle }

const digits = (phone: string | null) => phone?.replace(/\D/g, '').slice(-PHONE_DIGITS)
const folded = (text: string | null) => text?.trim().normalize().toLowerCase()

/** Whether two texts are the same for a person. Nothing is the same as a missing text. */
export const isSameText = (one: string | null, other: string | null): boolean =>
  Boolean(folded(one)) && folded(one) === folded(other)
export const isSamePhone = (one: string | null, other: string | null): boolean =>
  digits(one)?.length === PHONE_DIGITS && digits(one) === digits(other)

/** Spouses often share an email, and a stranger can know a name and a phone number. So it takes both. */
export const isProven = (account: LinkAccount, contact: LinkContact): boolean =>
  isSameText(account.email, contact.email) &&
  (isSameText(account.lastName, contact.lastName) || isSamePhone(account.phone, contact.phone))

/**
 * The one rule about who may see whose case, for sign-ups, staff's edits, merges, moved records and the nightly check.
 * `others` are further contacts with the account's email that do not belong to the account.
 */
export function mayLink(
  account: LinkAccount,
  contact: LinkContact & ContactHistory,
  others: readonly LinkContact[],
): Answer {
  if (!account.isActive) return { answer: 'no', because: 'inactive' }
  if (contact.deceased) return { answer: 'no', because: 'deceased' }
  if (contact.holder !== null && contact.holder !== account.userId) {
    return { answer: 'no', because: 'linkedElsewhere' }
  }
  if (!isProven(account, contact)) return { answer: 'ask', question: 'differs' }
  if (contact.hadOther) return { answer: 'ask', question: 'hadOtherAccount' }
  if (contact.wasEnded) return { answer: 'ask', question: 'otherContact' }
  if (others.some((other) => other.id !== contact.id && isProven(account, other))) {
    return { answer: 'ask', question: 'severalMatch' }
  }
  return { answer: 'yes' }
}
