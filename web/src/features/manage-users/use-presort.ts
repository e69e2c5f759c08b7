import { SORTABLE } from '@guidon/contract/manage-users'
import { useEffect } from 'react'
import { sortInSteps, type Listing } from './listing.ts'

/** Between two steps, so that the browser can handle input. */
const PAUSE_MS = 20

/** Sorts by each column in advance, in small steps, so that a press on its heading is instant. */
export function usePresort(listing: Listing | undefined): void {
  useEffect(() => {
    if (!listing) return
    const steps = sortAllInSteps(listing)
    const timer = setInterval(() => {
      if (steps.next().done) clearInterval(timer)
    }, PAUSE_MS)
    return () => clearInterval(timer)
  }, [listing])
}

function* sortAllInSteps(listing: Listing): Generator<undefined> {
  for (const column of SORTABLE) {
    if (!listing.orders.has(column)) yield* sortInSteps(listing, column)
  }
}
