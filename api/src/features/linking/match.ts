import { PHONE_DIGITS } from '@guidon/contract/limits'
import type { ContactRow } from '../../crm/port.ts'

export interface Claimant {
  userId: string
  email: string
  lastName: string
  phone: string
}

type Candidate = Pick<ContactRow, 'id' | 'email' | 'lastName' | 'phone' | 'portalUserId'>

const digits = (phone: string | null) => phone?.replace(/\D/g, '').slice(-PHONE_DIGITS)
const folded = (text: string | null) => text?.trim().normalize().toLowerCase()

/**
 * The one contact with this email and the same last name or phone. None where two fit: access to records
 * is not given on a guess. One that belongs to another account of the portal is not given at all.
 */
export function soleMatch<C extends Candidate>(
  contacts: readonly C[],
  person: Claimant,
): C | undefined {
  const fitting = contacts.filter(
    ({ email, lastName, phone }) =>
      folded(email) === person.email &&
      (folded(lastName) === folded(person.lastName) || digits(phone) === person.phone),
  )
  const [contact] = fitting
  if (fitting.length !== 1 || !contact) return undefined
  const isFree = contact.portalUserId === null || contact.portalUserId === person.userId
  return isFree ? contact : undefined
}
