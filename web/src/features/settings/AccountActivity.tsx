import { getActivity } from '@guidon/contract/manage-users'
import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { ExpandableEventList } from '../../ui/EventList.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { PageSection } from '../../ui/PageSection.tsx'
import { ProviderPhoneLink } from '../../ui/ProviderPhoneLink.tsx'

const skeleton = [1, 2, 3].map((line) => <Skeleton key={line} height="3.4rem" />)

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
      <Paper variant="outlined" sx={{ px: { xs: '20px', sm: '24px' }, py: '10px' }}>
        <Loaded result={result} contentName="account activity" skeleton={skeleton}>
          {(events) =>
            events.length === 0 ? (
              <Typography color="textSecondary" sx={{ py: '10px' }}>
                Nothing has happened yet.
              </Typography>
            ) : (
              <ExpandableEventList events={events} />
            )
          }
        </Loaded>
      </Paper>
    </PageSection>
  )
}
