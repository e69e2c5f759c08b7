import type { UseQueryOptions } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { useEarlyQuery } from './use-early-query.ts'

/** Like `useEarlyQuery`, but renders a response in short steps, between which the browser can respond to the user. */
export function useSectionQuery<Data>(options: UseQueryOptions<Data, Error, Data, string[]>) {
  const { data, error, refetch, isPending, isLoadingError } = useEarlyQuery(options)
  const latest = useMemo(
    () => ({ data, error, refetch, isPending, isLoadingError }),
    [data, error, refetch, isPending, isLoadingError],
  )
  return useDeferredValue(latest)
}
