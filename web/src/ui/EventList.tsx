import { localDateTime } from './dates.ts'
import { withClass } from './with-class.ts'
import css from './EventList.module.css'

const Frame = withClass('div', css['frame'])

const List = withClass('ol', css['list'])

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
