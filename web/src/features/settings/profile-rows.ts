import type { UserInfo } from '@guidon/contract/profile'
import { phoneText } from '../../ui/phone.ts'

const MISSING = 'N/A'

interface Row {
  label: string
  value: string
}

/** The profile's rows, in the order of the screen. */
export function profileRows(info: UserInfo): Row[] {
  const phone = info.phone && phoneText(info.phone)
  return [
    row('First name', info.firstName),
    row('Last name', info.lastName),
    row('Phone', phone),
    row('Email', info.email),
    row('Street', info.street),
    row('City', info.city),
    row('State', info.state),
    row('Zip', info.zip),
  ]
}

function row(label: string, value: string | null): Row {
  return { label, value: value?.trim() || MISSING }
}
