import { useState } from 'react'
import { Button } from './Button.tsx'
import { EventList, EVENTS_SHOWN, type Event } from './EventList.tsx'
import { Loaded, type Result } from './Loaded.tsx'
import { Paper } from './Paper.tsx'
import { Skeleton } from './Skeleton.tsx'
import { Typography } from './Typography.tsx'
import css from './EventCard.module.css'

const skeleton = [1, 2, 3].map((line) => <Skeleton key={line} height="3.4rem" />)

interface Props {
  result: Result<readonly Event[]>
  /** See `Loaded`. */
  contentName: string
}

/** A list of events while it loads, when it fails, is empty or long. */
export function EventCard({ result, contentName }: Props) {
  return (
    <Paper className={css['paper']}>
      <Loaded result={result} contentName={contentName} skeleton={skeleton}>
        {(events) =>
          events.length === 0 ? (
            <Typography color="textSecondary" className={css['text']}>
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
        <Button
          variant="text"
          aria-expanded={all}
          onClick={() => setAll(!all)}
          className={css['button']}
        >
          {all ? 'Show less' : 'Show more'}
        </Button>
      )}
    </>
  )
}
