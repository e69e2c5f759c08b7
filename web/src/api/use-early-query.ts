import { useQuery, useQueryClient, type UseQueryOptions } from '@tanstack/react-query'

/** A response that comes before the screen is rendered is not fetched again then. */
const FRESH_SECONDS = 5

/**
 * Like `useQuery`, but sends the first request while the component renders, not after all components of the screen did.
 * So the response comes earlier, and the requests of many sections do not all start at once and block the page.
 */
export function useEarlyQuery<Data>(options: UseQueryOptions<Data, Error, Data, string[]>) {
  const client = useQueryClient()
  const { status = 'pending', fetchStatus = 'idle' } = client.getQueryState(options.queryKey) ?? {}
  if (status === 'pending' && fetchStatus === 'idle') void client.prefetchQuery(options)
  return useQuery({
    refetchOnMount: ({ state }) => state.dataUpdatedAt < Date.now() - FRESH_SECONDS * 1000,
    ...options,
  })
}
