import type { SignedInUser } from '@guidon/contract/account'
import { checkAuth } from '@guidon/contract/auth'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './call.ts'

const FRESH_SECONDS = 60

export const currentUserQuery = queryOptions({
  queryKey: ['current-user'],
  queryFn: async ({ signal }) => (await call(checkAuth, { signal })).user,
  staleTime: FRESH_SECONDS * 1000,
})

/** For screens behind a role guard, which renders them only once the user is loaded. */
export function useSignedInUser(): SignedInUser {
  // Only the guard fetches: each call counts as activity of the user, so parts of a screen that
  // mount later must not refetch.
  const { data } = useQuery({ ...currentUserQuery, refetchOnMount: false })
  if (data === undefined) throw new Error('useSignedInUser was called outside of a role guard')
  return data
}
