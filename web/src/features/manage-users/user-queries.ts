import type { ResponseOut } from '@guidon/contract/endpoint'
import { listUsers, type ManagedUser } from '@guidon/contract/manage-users'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { requestListing } from './listing-request.ts'
import { replaceUser } from './listing.ts'
import type { View } from './view.ts'

const PAGES = ['users', 'page'] as const

/** One page from the server. */
export function pageQuery({ q, role, status, sortBy, order, size, after }: View) {
  const query = { sortBy, order, limit: size, q: q || undefined, role, status, cursor: after }
  return queryOptions({
    queryKey: [...PAGES, query] as const,
    queryFn: ({ signal }) => call(listUsers, { query, signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
}

/** Every account at once: too much to refetch on window focus, or to compare with the previous data. */
export const listingQuery = queryOptions({
  queryKey: ['users', 'listing'] as const,
  queryFn: ({ signal }) => requestListing(signal),
  structuralSharing: false,
  refetchOnWindowFocus: false,
  // Only if it was never fetched. While it cannot be, the server searches, sorts and pages.
  refetchOnReconnect: ({ state }) => state.data === undefined,
})

/** Returns a function that replaces an account in every cached list. */
export function useUpdateCachedUser(): (user: ManagedUser) => void {
  const client = useQueryClient()
  return (user) => {
    client.setQueryData(listingQuery.queryKey, (listing) => listing && replaceUser(listing, user))
    client.setQueriesData<ResponseOut<typeof listUsers>>(
      { queryKey: PAGES },
      (cached) =>
        cached && {
          ...cached,
          users: cached.users.map((old) => (old.id === user.id ? user : old)),
        },
    )
  }
}
