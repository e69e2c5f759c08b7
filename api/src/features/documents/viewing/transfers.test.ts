import { once } from 'node:events'
import { tooManyViews, VIEWS_AT_ONCE, viewsBusy } from '@guidon/contract/viewing'
import { expect, it } from 'vitest'
import { transfers } from './transfers.ts'

const pace = { windowMs: 20, bytesPerSecondMin: 1_000, totalMs: 60_000 }
const neverAborted = () => new AbortController().signal

it('ends a transfer whose client reads too slowly', async () => {
  const { signal } = transfers({ pace })('a', neverAborted())
  await once(signal, 'abort')
  expect(signal.aborted).toBe(true)
})

it('ends a transfer after the longest time, even if it is fast', async () => {
  const start = transfers({ pace: { ...pace, windowMs: 10_000, totalMs: 20 } })
  const { signal, add } = start('a', neverAborted())
  add(1e9)
  await once(signal, 'abort')
  expect(signal.aborted).toBe(true)
})

it('lets an account have three at once, and does not count those of other accounts', () => {
  const start = transfers()
  const own = Array.from({ length: VIEWS_AT_ONCE }, () => start('a', neverAborted()))
  expect(() => start('a', neverAborted())).toThrow(tooManyViews.code)
  const other = start('b', neverAborted())
  own[0]!.end()
  const again = start('a', neverAborted())
  for (const one of [...own, other, again]) one.end()
})

it('at capacity, ends the slowest transfer for a new one, or refuses if none is known to be slow', async () => {
  const start = transfers({
    maxConcurrent: 2,
    pace: { ...pace, windowMs: 50, bytesPerSecondMin: 1 },
  })
  const [fast, slow] = [start('a', neverAborted()), start('b', neverAborted())]
  expect(() => start('c', neverAborted())).toThrow(viewsBusy.code)
  const feeding = setInterval(() => {
    fast.add(1_000_000)
    slow.add(10)
  }, 5)
  await expect.poll(() => tryStart(start)).toBe(true)
  clearInterval(feeding)
  expect([fast.signal.aborted, slow.signal.aborted]).toEqual([false, true])
  fast.end()
})

function tryStart(start: ReturnType<typeof transfers>): boolean {
  try {
    start('c', neverAborted()).end()
    return true
  } catch {
    return false
  }
}

it('a client that was gone before the start takes no slot', () => {
  const start = transfers({ maxConcurrent: 1 })
  expect(start('a', AbortSignal.abort()).signal.aborted).toBe(true)
  const next = start('b', neverAborted())
  expect(next.signal.aborted).toBe(false)
  next.end()
})
