import { SORTABLE } from '@guidon/contract/manage-users'
import { useEffect } from 'react'
import { orderOf, type Listing } from './listing.ts'

const PAUSE_MS = 250

/** Sorts each column in a quiet moment, so that a press on its heading finds it done. */
export function useOrdersAhead(listing: Listing | undefined): void {
  useEffect(() => {
    if (!listing) return
    const waiting = SORTABLE.filter((column) => !listing.orders.has(column))
    const timer = setInterval(() => {
      const column = waiting.shift()
      if (column) orderOf(listing, column)
      else clearInterval(timer)
    }, PAUSE_MS)
    return () => clearInterval(timer)
  }, [listing])
}
