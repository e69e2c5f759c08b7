import type { SignedInUser } from '@guidon/contract/account'

/** A veteran, as `check-auth` returns them. */
export const james: SignedInUser = {
  role: 'USER',
  email: 'james.whitfield@example.com',
  firstName: 'James',
  lastName: 'Whitfield',
  phone: '6195550134',
  state: 'California',
  consentsDue: false,
  emailReachable: true,
}
