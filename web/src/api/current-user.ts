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

/** For screens behind a role guard, which shows them only once it knows the user. */
export function useSignedInUser(): SignedInUser {
  // The guard asks the server; a part of a screen that is drawn later must not, since each
  // such call counts as somebody being there.
  const { data } = useQuery({ ...currentUserQuery, refetchOnMount: false })
  if (data === undefined)
    throw new Error('A screen that needs the user was drawn outside its guard')
  return data
}
