import { QueryClient } from '@tanstack/react-query'

/** `always`: offline, a call fails with a message instead of waiting. No retries: each card has its own Try again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', retry: false },
      mutations: { networkMode: 'always' },
    },
  })
}
