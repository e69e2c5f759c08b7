import { UNAVAILABLE } from '@guidon/contract/refusal'
import { QueryClient } from '@tanstack/react-query'
import { CallFailure } from '../api/call-failure.ts'

/** Together with the pauses, enough repeats to outlast a planned change of the database's primary. */
const REPEATS_MAX = 3
const PAUSE_SECONDS = 5

const isUnavailable = (error: Error): error is CallFailure =>
  error instanceof CallFailure && error.code === UNAVAILABLE.code

/**
 * `always`: offline, a call fails with a message instead of waiting. Reads are repeated only while the database changes
 * its primary; after other failures, each card has a Try again button. Writes are never repeated.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: (failures, error) => failures < REPEATS_MAX && isUnavailable(error),
        retryDelay: (_failures, error) =>
          1000 * ((isUnavailable(error) && error.retryAfterSeconds) || PAUSE_SECONDS),
      },
      mutations: { networkMode: 'always' },
    },
  })
}
