import type { Comparison, Sides } from '@guidon/contract/links'
import type { ReactNode } from 'react'
import { BreakAfterAt } from '../../../ui/BreakAfterAt.tsx'
import { localShortDate } from '../../../ui/dates.ts'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { phoneText } from '../../../ui/phone.ts'
import { crmUrl } from '../crm-and-box-urls.ts'
import { otherAccountText, outcomeOf } from './link-texts.ts'
import type { Mark } from './SameMark.tsx'

type Field = Comparison['field']

const NAMES: Readonly<Record<Field, string>> = {
  lastName: 'Last name',
  firstName: 'First name',
  email: 'Email',
  phone: 'Phone',
  state: 'State',
  boxFolder: 'Box folder',
}

/** One line of the comparison. */
export interface ComparedRow {
  name: string
  account: ReactNode
  contact: ReactNode
  mark: Mark
}

export function comparedRows({ account, compared }: Pick<Sides, 'account' | 'compared'>) {
  return compared.map((comparison): ComparedRow => {
    const { field } = comparison
    const verifiedAt = field === 'email' ? account.emailVerifiedAt : null
    return {
      name: NAMES[field],
      account: (
        <>
          {shownValue(field, comparison.account)}
          {verifiedAt && <small>Verified {localShortDate(verifiedAt)}</small>}
        </>
      ),
      contact: shownValue(field, comparison.contact),
      mark: outcomeOf(comparison),
    }
  })
}

function shownValue(field: Field, value: string | null): ReactNode {
  if (!value) return 'None'
  if (field === 'phone') return phoneText(value)
  return field === 'email' ? <BreakAfterAt>{value}</BreakAfterAt> : value
}

/** Which contact the account has, and which other account has or had this contact. */
export function otherLinksRow(
  { account: { contactId }, contact, otherAccount }: Sides,
  fromContactId: string | null,
): ComparedRow {
  return {
    name: 'Other links',
    account: ownContact(contactId, contact?.id, fromContactId),
    contact: otherAccount
      ? otherAccountText(otherAccount)
      : 'No other account has or had this contact',
    mark: otherAccount ? 'otherAccount' : 'noConflict',
  }
}

function ownContact(own: string | null, contactId: string | undefined, merged: string | null) {
  if (own === null) return 'None now'
  if (own === contactId) return 'This contact'
  if (own === merged) return 'The contact that was merged into this one'
  return (
    <>
      Another contact now: <OutsideLink href={crmUrl(own)}>{own}</OutsideLink>
    </>
  )
}
