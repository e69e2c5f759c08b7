import { CASE_CHECK_SECONDS, getCaseVersion } from '@guidon/contract/case-activity'
import type { ResponseOut } from '@guidon/contract/endpoint'
import { ACCESS_TOKEN_MINUTES } from '@guidon/contract/limits'
import { queryOptions, useQueryClient, type Query } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../api/call.ts'
import { currentUserQuery } from '../../api/current-user.ts'
import { lastSessionSeen } from '../../api/session-seen.ts'
import { useEarlyQuery } from '../../api/use-early-query.ts'

/** Without use, the access token has ended and a check would be refused. */
const isSessionInUse = (): boolean => Date.now() - lastSessionSeen() < ACCESS_TOKEN_MINUTES * 60_000

/** Not fetched in a hidden tab. A failed check is repeated at the next interval. */
const versionQuery = queryOptions({
  queryKey: ['case-version'],
  queryFn: async ({ client, queryKey, signal }): Promise<ResponseOut<typeof getCaseVersion>> => {
    if (!isSessionInUse()) {
      return client.getQueryData(queryKey) ?? { version: '', hasUnfinishedUploads: false }
    }
    return call(getCaseVersion, { signal })
  },
  refetchInterval: CASE_CHECK_SECONDS * 1000,
})

const NOT_OF_THE_CASE: ReadonlySet<unknown> = new Set([
  currentUserQuery.queryKey[0],
  versionQuery.queryKey[0],
])

/** The part still shows what it read before. A part without data shows the failure and its own Try again. */
const isOutdated = ({ state }: Query): boolean =>
  state.status === 'error' && state.data !== undefined

/**
 * While the screen is open: reads all of its parts again when something about the case has changed, and with each check
 * those that could not be read then.
 */
export function useCaseChanges(): { hasUnfinishedUploads: boolean } {
  const client = useQueryClient()
  const { data, dataUpdatedAt } = useEarlyQuery(versionQuery)
  const version = data?.version
  const seen = useRef(version)
  useEffect(() => {
    // No check has succeeded yet.
    if (dataUpdatedAt === 0) return
    const changed = seen.current !== undefined && seen.current !== version
    seen.current = version
    void client.invalidateQueries({
      type: 'active',
      predicate: (query) =>
        !NOT_OF_THE_CASE.has(query.queryKey[0]) &&
        (changed || (isSessionInUse() && isOutdated(query))),
    })
  }, [version, dataUpdatedAt, client])
  return { hasUnfinishedUploads: data?.hasUnfinishedUploads ?? false }
}
