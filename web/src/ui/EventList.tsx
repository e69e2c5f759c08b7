import { styled } from '@mui/material/styles'
import { localDateTime } from './dates.ts'

const Frame = styled('div')({ containerType: 'inline-size' })

const List = styled('ol')(({ theme: { vars } }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& > li': {
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: '0 24px',
    padding: '14px 0',
  },
  '& > li + li': { borderTop: `1px solid ${vars.palette.divider}` },
  '& p': { flex: '1 1 14rem', minWidth: 0, overflowWrap: 'anywhere' },
  '& time': { fontSize: '0.9rem', lineHeight: 1.7, color: vars.palette.text.secondary },
  '@container (max-width: 30rem)': { '& > li': { display: 'block' } },
}))

export interface Event {
  /** ISO timestamp. */
  at: string
  what: string
}

interface Props {
  events: readonly Event[]
  /** How the time of an event is written. */
  timeText?: (at: string) => string
}

/** What happened, and when. */
export function EventList({ events, timeText = localDateTime }: Props) {
  return (
    <Frame>
      <List>
        {events.map(({ at, what }) => (
          <li key={`${at} ${what}`}>
            <p>{what}</p>
            <time dateTime={at}>{timeText(at)}</time>
          </li>
        ))}
      </List>
    </Frame>
  )
}

/** How many events are shown at first. */
export const EVENTS_SHOWN = 5
