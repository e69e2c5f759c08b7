import { PHONE_DIGITS } from '@guidon/contract/limits'
import type { ContactRow } from '../../crm/port.ts'

interface Account {
  userId: string
  email: string
  lastName: string
  phone: string
}

type Candidate = Pick<ContactRow, 'id' | 'email' | 'lastName' | 'phone' | 'portalUserId'>

const digits = (phone: string | null) => phone?.replace(/\D/g, '').slice(-PHONE_DIGITS)
const folded = (text: string | null) => text?.trim().normalize().toLowerCase()

/**
 * Returns the only contact with the account's email and the same last name or phone. Returns nothing if two
 * contacts match, or if the contact belongs to another account: a wrong link would show someone's records.
 */
export function soleMatch<C extends Candidate>(
  contacts: readonly C[],
  account: Account,
): C | undefined {
  const matching = contacts.filter(
    ({ email, lastName, phone }) =>
      folded(email) === account.email &&
      (folded(lastName) === folded(account.lastName) || digits(phone) === account.phone),
  )
  const [contact] = matching
  if (matching.length !== 1 || !contact) return undefined
  const isFree = contact.portalUserId === null || contact.portalUserId === account.userId
  return isFree ? contact : undefined
}
