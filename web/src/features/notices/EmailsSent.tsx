import { deliveryLine, NO_DELIVERIES, wasRefused } from '@guidon/contract/notice-words'
import { DELIVERIES_MAX, getDeliveriesOf, type Delivery } from '@guidon/contract/notices'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/Button.tsx'
import { clockTimeOf, localDateTime } from '../../ui/dates.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { withClass } from '../../ui/with-class.ts'
import css from './EmailsSent.module.css'

const SHOWN = 5

const List = withClass('ol', css['list'])

const skeleton = [1, 2, 3].map((line) => <Skeleton key={line} height="3.4rem" />)

/** For staff: the emails to an account. Every view is audited, so it is never served from the cache. */
export function EmailsSent({ userId }: { userId: string }) {
  const result = useQuery({
    queryKey: ['deliveries-of', userId],
    queryFn: ({ signal }) => call(getDeliveriesOf, { params: { id: userId }, signal }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Loaded result={result} contentName="the emails" skeleton={skeleton}>
      {({ deliveries }) =>
        deliveries.length === 0 ? <p>{NO_DELIVERIES}</p> : <Deliveries all={deliveries} />
      }
    </Loaded>
  )
}

/** `Sent November 15, 2026, 4:00 AM EST, came back 4:06 AM EST` */
function deliveryTimes(delivery: Delivery): string {
  const { state, queuedAt, changedAt } = delivery
  if (state === 'queued') return `Waiting since ${localDateTime(queuedAt)}`
  if (state === 'sent') return `Sent ${localDateTime(changedAt)}`
  if (wasRefused(delivery)) return `Tried ${localDateTime(changedAt)}`
  const result = state === 'delivered' ? 'delivered' : 'came back'
  const at = clockTimeOf(changedAt, Date.parse(queuedAt))
  return `Sent ${localDateTime(queuedAt)}, ${result} ${at}`
}

/** The latest emails, and a button for the rest. */
function Deliveries({ all }: { all: readonly Delivery[] }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <List>
        {(open ? all : all.slice(0, SHOWN)).map((delivery) => (
          <li key={delivery.id}>
            <p>{deliveryLine(delivery)}</p>
            <small>{deliveryTimes(delivery)}</small>
          </li>
        ))}
      </List>
      {open && all.length === DELIVERIES_MAX && (
        <p>These are the latest {DELIVERIES_MAX} emails.</p>
      )}
      {all.length > SHOWN && (
        <Button
          variant="text"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className={css['button']}
        >
          {open ? 'Show less' : 'Show more'}
        </Button>
      )}
    </>
  )
}
