import { UNAVAILABLE } from '@guidon/contract/refusal'
import { afterEach, expect, it, vi } from 'vitest'
import { CallFailure } from '../api/call-failure.ts'
import { createQueryClient } from './query-client.ts'

afterEach(() => void vi.useRealTimers())

const failure = (code: string, status: number) =>
  new CallFailure({ status, code, message: 'Failed.', retryAfterSeconds: 5 })

it('repeats a read while the database is unavailable, after the pause that the server asks for', async () => {
  vi.useFakeTimers()
  const read = vi.fn<() => Promise<string>>().mockResolvedValue('documents')
  read.mockRejectedValueOnce(failure(UNAVAILABLE.code, UNAVAILABLE.status))
  const result = createQueryClient().fetchQuery({ queryKey: ['read'], queryFn: read })
  await vi.advanceTimersByTimeAsync(4_999)
  expect(read).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await result).toBe('documents')
})

it.each([
  ['unexpected', 500],
  ['too_busy', 503],
  ['no_network', 0],
])('does not repeat a read that failed with %s', async (code, status) => {
  const read = vi.fn<() => Promise<string>>().mockRejectedValue(failure(code, status))
  const result = createQueryClient().fetchQuery({ queryKey: ['read'], queryFn: read })
  await expect(result).rejects.toThrow('Failed.')
  expect(read).toHaveBeenCalledTimes(1)
})
