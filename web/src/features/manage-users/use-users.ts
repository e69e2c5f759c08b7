import { LISTING_MAX, type ManagedUser } from '@guidon/contract/manage-users'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { matching, pageOf } from './listing.ts'
import { useOrdersAhead } from './use-orders-ahead.ts'
import { listingQuery, pageQuery } from './user-queries.ts'
import { FIRST_VIEW, type View } from './view.ts'

export interface UsersPage {
  users: readonly ManagedUser[]
  /** Counted from 0. */
  page: number
  /** Count of matches of the search and the role; undefined if only the server could count them. */
  found: number | undefined
  /** Count of all accounts. */
  total: number
  /** Cursor of the server's next page. */
  next: string | undefined
  /** Why the server pages: there are too many accounts, or the listing could not be fetched. */
  asking: 'too many' | 'not fetched' | undefined
}

/**
 * The accounts that a view shows. The first page is fetched at once and returns the total. Up to
 * `LISTING_MAX`, all accounts are fetched next, and the browser pages from then on.
 */
export function useUsers(view: View) {
  const first = useQuery(pageQuery(FIRST_VIEW))
  const total = first.data?.total
  const fits = total === undefined || total <= LISTING_MAX
  const listing = useQuery({ ...listingQuery, enabled: total !== undefined && fits })
  const asked = useQuery({ ...pageQuery(view), enabled: listing.data === undefined })
  useOrdersAhead(listing.data)

  const { q, role, sortBy, order, page, size } = view
  const rows = useMemo(
    () => listing.data && matching(listing.data, { q, role, sortBy, order }),
    [listing.data, q, role, sortBy, order],
  )

  function shown(): UsersPage | undefined {
    if (listing.data && rows) {
      return {
        ...pageOf(listing.data, rows, page, size),
        found: rows.length,
        total: listing.data.users.length,
        next: undefined,
        asking: undefined,
      }
    }
    // The server finds a page only by its cursor.
    const located = page === 0 || view.after !== undefined
    if (!asked.data || (!located && fits && !listing.isError)) return undefined
    return {
      users: asked.data.users,
      page: located ? page : 0,
      found: q === '' && role === undefined ? asked.data.total : undefined,
      total: asked.data.total,
      next: asked.data.next ?? undefined,
      asking: fits ? (listing.isError ? 'not fetched' : undefined) : 'too many',
    }
  }

  return {
    data: shown(),
    error: asked.error ?? first.error,
    refetch: () => Promise.all([first, asked].map((query) => query.refetch())),
    busy: asked.isFetching && listing.data === undefined,
  }
}
