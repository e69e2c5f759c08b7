import { expect, it } from 'vitest'
import { fairSemaphore, QueueFull } from './fair-semaphore.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Tasks that run until the test ends them, and the order in which they started. */
function tasks(semaphore: ReturnType<typeof fairSemaphore>) {
  const began: string[] = []
  const ends: (() => void)[] = []
  const add = (key: string) =>
    semaphore.run(key, () => {
      began.push(key)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const endOne = async () => {
    await settled()
    ends.shift()?.()
    await settled()
  }
  return { began, add, endOne }
}

it('runs a limited number at the same time, and all of them in the end', async () => {
  const { run, state } = fairSemaphore({ maxRunning: 2 })
  let [running, maxRunning, done] = [0, 0, 0]
  const task = async () => {
    running += 1
    maxRunning = Math.max(maxRunning, running)
    await Promise.resolve()
    running -= 1
    done += 1
    if (done === 3) throw new Error('one of them fails')
  }
  const results = await Promise.allSettled(
    Array.from({ length: 9 }, (_, n) => run(`key ${n % 2}`, task)),
  )
  expect({ maxRunning, done }).toEqual({ maxRunning: 2, done: 9 })
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(state()).toEqual({ running: 0, waiting: 0 })
})

it('lets keys take turns, even if one has many tasks', async () => {
  const { began, add, endOne } = tasks(fairSemaphore({ maxRunning: 1 }))
  for (let n = 0; n < 300; n += 1) void add('many')
  void add('one')
  void add('two')
  for (let n = 0; n < 4; n += 1) await endOne()
  expect(began).toEqual(['many', 'many', 'one', 'two', 'many'])
})

it('limits the tasks of one key, and leaves the other slots to other keys', async () => {
  const { began, add, endOne } = tasks(fairSemaphore({ maxRunning: 3, maxRunningPerKey: 1 }))
  for (let n = 0; n < 5; n += 1) void add('many')
  void add('other')
  await settled()
  expect(began).toEqual(['many', 'other'])
  await endOne()
  expect(began).toEqual(['many', 'other', 'many'])
})

it('refuses only the key that has too many waiting tasks', async () => {
  const semaphore = fairSemaphore({ maxRunning: 1, maxWaitingPerKey: 2 })
  const { began, add, endOne } = tasks(semaphore)
  for (let n = 0; n < 3; n += 1) void add('many')
  await expect(add('many')).rejects.toThrow(QueueFull)
  void add('other')
  await endOne()
  await endOne()
  expect(began).toEqual(['many', 'many', 'other'])
  expect(semaphore.state()).toEqual({ running: 1, waiting: 1 })
})

it('refuses a task that has waited too long, and continues with the others', async () => {
  const semaphore = fairSemaphore({ maxRunning: 1, maxWaitMs: 20 })
  const { began, add, endOne } = tasks(semaphore)
  void add('first')
  await expect(add('late')).rejects.toThrow('waited too long')
  expect(semaphore.state()).toEqual({ running: 1, waiting: 0 })
  void add('next')
  await endOne()
  expect(began).toEqual(['first', 'next'])
})

it('releases a slot only once', async () => {
  const semaphore = fairSemaphore({ maxRunning: 1 })
  const done = await semaphore.take('key')
  done()
  done()
  expect(semaphore.state()).toEqual({ running: 0, waiting: 0 })
})
