import { getActivity } from '@guidon/contract/manage-users'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { EventCard } from '../../ui/EventCard.tsx'
import { PageSection } from '../../ui/PageSection.tsx'
import { ProviderPhoneLink } from '../../ui/ProviderPhoneLink.tsx'

const note = (
  <>
    What happened to your account, newest first. If something here was not you, call{' '}
    <ProviderPhoneLink />.
  </>
)

export function AccountActivity() {
  const result = useQuery({
    queryKey: ['account-activity'],
    queryFn: ({ signal }) => call(getActivity, { signal }),
  })
  return (
    <PageSection title="Account activity" note={note}>
      <EventCard result={result} contentName="account activity" />
    </PageSection>
  )
}
