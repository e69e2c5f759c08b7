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

it('returns rows by time and then by id, for any order of adding', () => {
  const index = new TimeIndex()
  index.addMany([row('c', 5), row('a', 5), row('z', 1)])
  index.add(row('b', 5), false)
  expect(ids(index, 0)).toEqual(['z', 'a', 'b', 'c'])
  expect(ids(index, 5)).toEqual(['a', 'b', 'c'])
  expect(ids(index, 6)).toEqual([])
})

it('returns a changed row once, at its new position', () => {
  const index = new TimeIndex()
  const changed = row('a', 1)
  index.addMany([changed, row('b', 2)])
  for (let time = 3; time < 60_000; time += 1) {
    changed.stamp = time
    index.add(changed, true)
  }
  expect(ids(index, 0)).toEqual(['b', 'a'])
})

it('returns a row once after its time was changed and changed back', () => {
  const index = new TimeIndex()
  const moved = row('a', 1)
  index.addMany([moved, row('b', 2)])
  moved.stamp = 3
  index.add(moved, true)
  moved.stamp = 1
  index.add(moved, true)
  expect(ids(index, 0)).toEqual(['a', 'b'])
})
