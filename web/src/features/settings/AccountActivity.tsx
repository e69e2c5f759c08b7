import type { ResponseOut } from '@guidon/contract/endpoint'
import { getActivity } from '@guidon/contract/manage-users'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { localDateTime } from '../../ui/dates.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { PageSection } from '../../ui/PageSection.tsx'
import { ProviderPhoneLink } from '../../ui/ProviderPhoneLink.tsx'

const List = styled('ol')(({ theme: { vars } }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& > li': { padding: '14px 0', overflowWrap: 'anywhere' },
  '& > li + li': { borderTop: `1px solid ${vars.palette.divider}` },
}))

const SHOWN_FIRST = 5

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
              <Events events={events} />
            )
          }
        </Loaded>
      </Paper>
    </PageSection>
  )
}

function Events({ events }: { events: ResponseOut<typeof getActivity> }) {
  const [all, setAll] = useState(false)
  return (
    <>
      <List>
        {events.slice(0, all ? undefined : SHOWN_FIRST).map(({ at, what }) => (
          <li key={`${at} ${what}`}>
            <Typography>{what}</Typography>
            <Typography variant="body2" color="textSecondary">
              <time dateTime={at}>{localDateTime(at)}</time>
            </Typography>
          </li>
        ))}
      </List>
      {events.length > SHOWN_FIRST && (
        <Button variant="text" aria-expanded={all} onClick={() => setAll(!all)} sx={{ ml: -3 }}>
          {all ? 'Show less' : 'Show more'}
        </Button>
      )}
    </>
  )
}
