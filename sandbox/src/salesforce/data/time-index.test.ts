import { expect, it } from 'vitest'
import type { Row } from './row.ts'
import { TimeIndex } from './time-index.ts'

const row = (id: string, stamp: number): Row => ({
  id,
  stamp,
  created: stamp,
  values: {},
  deleted: false,
})
const ids = (index: TimeIndex, time: number) => [...index.from(time)].map(({ id }) => id)

it('gives rows by time and then by id, however they came', () => {
  const index = new TimeIndex()
  index.addMany([row('c', 5), row('a', 5), row('z', 1)])
  index.add(row('b', 5), false)
  expect(ids(index, 0)).toEqual(['z', 'a', 'b', 'c'])
  expect(ids(index, 5)).toEqual(['a', 'b', 'c'])
  expect(ids(index, 6)).toEqual([])
})

it('shows a changed row once, at its new place', () => {
  const index = new TimeIndex()
  const changed = row('a', 1)
  index.addMany([changed, row('b', 2)])
  for (let time = 3; time < 60_000; time += 1) {
    changed.stamp = time
    index.add(changed, true)
  }
  expect(ids(index, 0)).toEqual(['b', 'a'])
})

it('shows a row once that was moved and moved back', () => {
  const index = new TimeIndex()
  const wavering = row('a', 1)
  index.addMany([wavering, row('b', 2)])
  wavering.stamp = 3
  index.add(wavering, true)
  wavering.stamp = 1
  index.add(wavering, true)
  expect(ids(index, 0)).toEqual(['a', 'b'])
})
