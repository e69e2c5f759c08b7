import { expect, it } from 'vitest'
import { places } from './places.ts'

it('runs so many at the same time, and all of them in the end', async () => {
  const { hold } = places(2)
  let [running, most, done] = [0, 0, 0]
  const task = async () => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
    done += 1
    if (done === 3) throw new Error('one of them fails')
  }
  const results = await Promise.allSettled(Array.from({ length: 9 }, () => hold(task)))
  expect({ most, done }).toEqual({ most: 2, done: 9 })
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
})
