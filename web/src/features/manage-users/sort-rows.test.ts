import { expect, it } from 'vitest'
import { sortRows } from './sort-rows.ts'

function sorted(keys: readonly string[], run?: number): number[] {
  const steps = sortRows(keys, run)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return [...step.value]
}

/** A simple reference implementation. */
const expected = (keys: readonly string[]) =>
  keys
    .map((_, row) => row)
    .toSorted((a, b) => (keys[a]! < keys[b]! ? -1 : keys[a]! > keys[b]! ? 1 : a - b))

it.each([1, 2, 3, 7, 100, 8192])('sorts by keys, in runs of %i', (run) => {
  for (const count of [1, 2, 5, 64, 301]) {
    const distinct = Array.from({ length: count }, (_, at) => `k${(at * 7919) % 1009}`)
    const repeated = distinct.map((key) => key.slice(0, 2))
    expect(sorted(distinct, run)).toEqual(expected(distinct))
    expect(sorted(repeated, run)).toEqual(expected(repeated))
  }
})

it('handles sorted, reversed and empty input', () => {
  expect(sorted(['a', 'b', 'b', 'c'])).toEqual([0, 1, 2, 3])
  expect(sorted(['c', 'b', 'a'])).toEqual([2, 1, 0])
  expect(sorted([])).toEqual([])
})
