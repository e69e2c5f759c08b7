import type { SignedInUser } from '@guidon/contract/account'
import { checkAuth, logout } from '@guidon/contract/auth'
import type { ResponseOut } from '@guidon/contract/endpoint'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call, withSessionRefresh } from './call.ts'
import { send } from './send.ts'

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

let ending: Promise<unknown> = Promise.resolve()

/** Logs out without waiting for the response. */
export function endSession(): void {
  ending = call(logout).catch(() => {})
}

/** The user who is signed in in this browser, if any. Sends nobody to /signin; a failed check counts as none. */
export async function findSignedInUser(): Promise<SignedInUser | undefined> {
  try {
    await ending
    const response = await withSessionRefresh(checkAuth, () => send(checkAuth, {}), { quiet: true })
    return (response as ResponseOut<typeof checkAuth>).user
  } catch {
    return undefined
  }
}
