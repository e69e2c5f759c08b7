import { EMAIL_TOO_LONG_FOR_CRM, getCrmRefusals, refusalText } from '@guidon/contract/crm-refusals'
import { CRM_EMAIL_MAX } from '@guidon/contract/limits'
import type { ManagedUser } from '@guidon/contract/manage-users'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { Notice } from '../../ui/Notice.tsx'

/** Says what of the account is not in Salesforce, and why. */
export function SalesforceNotice({ user: { id, email, role } }: { user: ManagedUser }) {
  const isVeteran = role === 'USER'
  const { data: refusals = [] } = useQuery({
    queryKey: ['crm-refusals', id],
    queryFn: ({ signal }) => call(getCrmRefusals, { params: { id }, signal }),
    enabled: isVeteran,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const texts = refusals.map(refusalText)
  if (isVeteran && email.length > CRM_EMAIL_MAX) texts.push(EMAIL_TOO_LONG_FOR_CRM)
  return (
    <Notice kind="info">{texts.length > 0 && texts.map((text) => <p key={text}>{text}</p>)}</Notice>
  )
}
