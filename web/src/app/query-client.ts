import { QueryClient } from '@tanstack/react-query'

/** `always`: offline, a call shall fail and say so, not wait in silence. No retries: each card offers its own. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', retry: false },
      mutations: { networkMode: 'always' },
    },
  })
}
