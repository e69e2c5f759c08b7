import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { EventList, EVENTS_SHOWN, type Event } from './EventList.tsx'
import { Loaded, type Result } from './Loaded.tsx'

const skeleton = [1, 2, 3].map((line) => <Skeleton key={line} height="3.4rem" />)

interface Props {
  result: Result<readonly Event[]>
  /** See `Loaded`. */
  contentName: string
}

/** A list of events while it loads, when it fails, is empty or long. */
export function EventCard({ result, contentName }: Props) {
  return (
    <Paper variant="outlined" sx={{ px: { xs: '20px', sm: '24px' }, py: '10px' }}>
      <Loaded result={result} contentName={contentName} skeleton={skeleton}>
        {(events) =>
          events.length === 0 ? (
            <Typography color="textSecondary" sx={{ py: '10px' }}>
              Nothing has happened yet.
            </Typography>
          ) : (
            <ExpandableList events={events} />
          )
        }
      </Loaded>
    </Paper>
  )
}

/** The first events, and a button for the rest. */
function ExpandableList({ events }: { events: readonly Event[] }) {
  const [all, setAll] = useState(false)
  return (
    <>
      <EventList events={all ? events : events.slice(0, EVENTS_SHOWN)} />
      {events.length > EVENTS_SHOWN && (
        <Button variant="text" aria-expanded={all} onClick={() => setAll(!all)} sx={{ ml: -3 }}>
          {all ? 'Show less' : 'Show more'}
        </Button>
      )}
    </>
  )
}
