import { LISTING_MAX, type ManagedUser } from '@guidon/contract/manage-users'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { matchingRows, pageOf } from './listing.ts'
import { usePresort } from './use-presort.ts'
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
  serverPaging: 'too many' | 'not fetched' | undefined
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
  const serverPage = useQuery({ ...pageQuery(view), enabled: listing.data === undefined })
  usePresort(listing.data)

  const { q, role, sortBy, order, page, size } = view
  const rows = useMemo(
    () => listing.data && matchingRows(listing.data, { q, role, sortBy, order }),
    [listing.data, q, role, sortBy, order],
  )

  function shown(): UsersPage | undefined {
    if (listing.data && rows) {
      return {
        ...pageOf(listing.data, rows, page, size),
        found: rows.length,
        total: listing.data.users.length,
        next: undefined,
        serverPaging: undefined,
      }
    }
    // The server finds a page only by its cursor.
    const located = page === 0 || view.after !== undefined
    if (!serverPage.data || (!located && fits && !listing.isError)) return undefined
    return {
      users: serverPage.data.users,
      page: located ? page : 0,
      found: q === '' && role === undefined ? serverPage.data.total : undefined,
      total: serverPage.data.total,
      next: serverPage.data.next ?? undefined,
      serverPaging: fits ? (listing.isError ? 'not fetched' : undefined) : 'too many',
    }
  }

  return {
    data: shown(),
    error: serverPage.error ?? first.error,
    refetch: () => Promise.all([first, serverPage].map((query) => query.refetch())),
    busy: serverPage.isFetching && listing.data === undefined,
  }
}
