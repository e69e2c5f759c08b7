import type { UserInfo } from '@guidon/contract/profile'
import { shownPhone } from '../../ui/phone.ts'

const MISSING = 'N/A'

interface Fact {
  label: string
  value: string
}

/** The profile's rows, in the order of the screen. */
export function profileFacts(info: UserInfo): Fact[] {
  const phone = info.phone && shownPhone(info.phone)
  return [
    fact('First name', info.firstName),
    fact('Last name', info.lastName),
    fact('Phone', phone),
    fact('Email', info.email),
    fact('Street', info.street),
    fact('City', info.city),
    fact('State', info.state),
    fact('Zip', info.zip),
  ]
}

function fact(label: string, value: string | null): Fact {
  return { label, value: value?.trim() || MISSING }
}
