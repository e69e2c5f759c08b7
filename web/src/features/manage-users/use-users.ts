import { LISTING_MAX, type ManagedUser } from '@guidon/contract/manage-users'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { matchingRows, pageOf } from './listing.ts'
import { usePresort } from './use-presort.ts'
import { listingQuery, pageQuery } from './user-queries.ts'
import { addressOfView, DEFAULT_VIEW, isFiltered, type View } from './view.ts'

export interface UsersPage {
  users: readonly ManagedUser[]
  /** Counted from 0. */
  page: number
  /** Count of the accounts that match; undefined for a search or filter on the server, which does not count them. */
  found: number | undefined
  /** Count of all accounts. */
  total: number
  /** Whether the browser cannot show another page yet, because the listing is on its way. */
  incomplete: boolean
  /** Cursor of the server's next page. */
  next: string | undefined
  /** Why the server pages: there are too many accounts, or the listing could not be fetched. */
  serverPaging: 'too many' | 'not fetched' | undefined
}

/**
 * The accounts that a view shows. The first page is fetched at once and returns the total. Up to
 * `LISTING_MAX`, all accounts are fetched next, and the browser searches, sorts and pages. The server does so only
 * with more accounts, or if the listing could not be fetched.
 */
export function useUsers(view: View) {
  const first = useQuery(pageQuery(DEFAULT_VIEW))
  const total = first.data?.total
  const fits = total === undefined || total <= LISTING_MAX
  const listing = useQuery({ ...listingQuery, enabled: total !== undefined && fits })
  const serverPaging = fits ? (listing.isError ? 'not fetched' : undefined) : 'too many'
  const serverPage = useQuery({ ...pageQuery(view), enabled: serverPaging !== undefined })
  usePresort(listing.data)

  const { q, role, status, sortBy, order, page, size } = view
  const rows = useMemo(
    () => listing.data && matchingRows(listing.data, { q, role, status, sortBy, order }),
    [listing.data, q, role, status, sortBy, order],
  )

  function shown(): UsersPage | undefined {
    if (listing.data && rows) {
      return {
        ...pageOf(listing.data, rows, page, size),
        found: rows.length,
        total: listing.data.users.length,
        incomplete: false,
        next: undefined,
        serverPaging: undefined,
      }
    }
    // The default view adds nothing to the address of the page.
    const isDefaultView = Object.keys(addressOfView(view)).length === 0
    const data = serverPaging ? serverPage.data : isDefaultView ? first.data : undefined
    if (!data) return undefined
    return {
      users: data.users,
      // The server finds a page only by its cursor.
      page: view.after === undefined ? 0 : page,
      found: q === '' && !isFiltered(view) ? data.total : undefined,
      total: data.total,
      incomplete: serverPaging === undefined,
      next: (serverPaging && data.next) ?? undefined,
      serverPaging,
    }
  }

  return {
    data: shown(),
    error: first.error ?? (serverPaging ? serverPage.error : null),
    refetch: () =>
      Promise.all([first, ...(serverPaging ? [serverPage] : [])].map((query) => query.refetch())),
  }
}
