import { QueryClient, QueryClientProvider, queryOptions } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useEarlyQuery } from './use-early-query.ts'

function setUp() {
  const queryFn = vi.fn<() => Promise<string>>(async () => 'from the server')
  const query = queryOptions({ queryKey: ['example'], queryFn })
  const sentWhileRendering: number[] = []
  function Section() {
    const { data } = useEarlyQuery(query)
    sentWhileRendering.push(queryFn.mock.calls.length)
    return <p>{data}</p>
  }
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const show = () =>
    render(
      <QueryClientProvider client={client}>
        <Section />
        <Section />
      </QueryClientProvider>,
    )
  return { queryFn, client, query, show, sentWhileRendering }
}

it('sends one request, while the first section renders', async () => {
  const { queryFn, show, sentWhileRendering } = setUp()
  show()
  expect(sentWhileRendering[0]).toBe(1)
  expect(await screen.findAllByText('from the server')).toHaveLength(2)
  expect(queryFn).toHaveBeenCalledTimes(1)
})

it('fetches again on mount only if the cached response is older than 5 seconds', async () => {
  const { queryFn, client, query, show } = setUp()
  await client.prefetchQuery(query)
  show().unmount()
  expect(queryFn).toHaveBeenCalledTimes(1)
  client.setQueryData(query.queryKey, 'old', { updatedAt: Date.now() - 6_000 })
  show()
  expect(await screen.findAllByText('from the server')).toHaveLength(2)
  expect(queryFn).toHaveBeenCalledTimes(2)
})
