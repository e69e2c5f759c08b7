import { once } from 'node:events'
import { boot } from '@guidon/tests/boot'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { openDatabase, openPool } from '../db/database.ts'
import { createLog } from '../platform/log.ts'
import { JobTimeout } from './deadline.ts'
import { isPermanent, job, work, workBatch } from './job.ts'
import type { Work } from './job.ts'
import { createBoss, migrateQueues, openJobQueues, queueControl } from './queues.ts'
import { openJobWorker } from './working.ts'

const testApp = await boot({ worker: false })
const url = testApp.config.DATABASE_URL
const pool = openPool({ url, size: 2, statementTimeoutMs: 0, onIdleError: () => {} })
const db = openDatabase(pool)
const log = createLog('silent', 'test')

async function startWorking(works: readonly Work[]) {
  const worker = await openJobWorker(url, log)
  await worker.work(works)
  return () => worker.stop()
}

const REFUSED = { permanent: true, outcome: 'refused' }

const greeting = job({
  name: 'test.greet',
  data: z.object({ name: z.string() }),
  options: { retryLimit: 0, retryDelay: 1, expireInSeconds: 30 },
})
const retried = job({
  ...greeting,
  name: 'test.retried',
  options: { retryLimit: 1_000, retryDelay: 1, retryDelayMax: 60, expireInSeconds: 30 },
})
await migrateQueues(url, [greeting, retried], log)
const queues = await openJobQueues(pool, log)
const control = queueControl(pool, url, log)

let onStart: (name: string) => void = () => {}
const nextStart = () => new Promise<string>((resolve) => (onStart = resolve))
const stop = await startWorking(
  [greeting, retried].map((definition) =>
    work(definition, async ({ name }) => {
      onStart(name)
      if (name === 'broken') throw new Error('no')
      if (name === 'refused') throw Object.assign(new Error('no'), REFUSED)
      return `greeted ${name}`
    }),
  ),
)
afterAll(async () => {
  await stop()
  await queues.stop()
  await db.destroy()
})

it('runs a job when its transaction commits, and never when it rolls back', async () => {
  const next = nextStart()
  await expect(
    db.transaction().execute(async (tx) => {
      await queues.send(greeting, { name: 'rolled back' }, tx)
      throw new Error('roll back')
    }),
  ).rejects.toThrow('roll back')
  await db.transaction().execute((tx) => queues.send(greeting, { name: 'committed' }, tx))
  expect(await next).toBe('committed')
})

it('stores the outcome of a job', async () => {
  await db.transaction().execute((tx) => queues.send(greeting, { name: 'ada' }, tx))
  const output = async () => {
    const { rows } = await testApp.sql.query(
      `select output from pgboss.job where name = $1 and data ->> 'name' = 'ada'`,
      [greeting.name],
    )
    return rows[0]?.output
  }
  await expect.poll(output).toEqual({ outcome: 'greeted ada' })
})

it('does not retry a refused job, and counts it apart from failed ones', async () => {
  const state = async () => (await control.states()).find(({ name }) => name === retried.name)
  await db.transaction().execute((tx) => queues.send(retried, { name: 'refused' }, tx))
  await expect.poll(state).toMatchObject({ refused: 1, dead: 0, unfinished: 0 })
})

it('retries after the error of a library that calls itself permanent', () => {
  expect(isPermanent(Object.assign(new Error('no'), REFUSED))).toBe(true)
  expect(isPermanent(Object.assign(new Error('no'), { permanent: true }))).toBe(false)
})

it('fails a job that takes too long, before the queue gives it to another worker', async () => {
  const slow = job({ ...greeting, options: { ...greeting.options, expireInSeconds: 1 } })
  let ended: unknown
  const endless = work(slow, async (_, { signal }) => {
    await once(signal, 'abort')
    ended = signal.reason
  })
  await expect(endless.run({ name: 'slow' }, { id: 'any' })).rejects.toThrow(JobTimeout)
  expect(ended).toBeInstanceOf(JobTimeout)
})

it('keeps a failed job for the operator, who can send it again', async () => {
  const dead = async () => (await control.states()).find(({ name }) => name === greeting.name)?.dead
  const first = nextStart()
  await db.transaction().execute((tx) => queues.send(greeting, { name: 'broken' }, tx))
  await first
  await expect.poll(dead).toBe(1)

  const second = nextStart()
  expect(await control.sendAgain(greeting.name)).toBe(1)
  expect(await second).toBe('broken')
  await expect.poll(dead).toBe(1)
})

it('runs the first job of an account before the tenth of an account with hundreds', async () => {
  const order: string[] = []
  const turns = job({ ...greeting, name: 'test.turns' })
  await migrateQueues(url, [turns], log)
  await db.transaction().execute(async (tx) => {
    for (let turn = 1; turn <= 300; turn += 1) {
      await queues.send(turns, { name: `many ${turn}` }, tx, { turn })
    }
  })
  await db.transaction().execute((tx) => queues.send(turns, { name: 'one' }, tx, { turn: 1 }))
  const done = Promise.withResolvers<void>()
  const stopTurns = await startWorking([
    work(turns, async ({ name }) => {
      order.push(name)
      if (order.length === 301) done.resolve()
    }),
  ])
  await done.promise
  await stopTurns()
  expect(order.indexOf('one')).toBeLessThan(10)
})

it('runs jobs that wait for another system independently: one that hangs delays no other', async () => {
  const remote = job({ ...greeting, name: 'test.remote', concurrency: 3 })
  await migrateQueues(url, [remote], log)
  const hanging = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  let others = 0
  const stopRemote = await startWorking([
    work(remote, async ({ name }) => {
      if (name === 'hangs') {
        started.resolve()
        await hanging.promise
      } else if ((others += 1) === 12) done.resolve()
    }),
  ])
  await db.transaction().execute((tx) => queues.send(remote, { name: 'hangs' }, tx))
  await started.promise
  await db.transaction().execute(async (tx) => {
    for (let count = 0; count < 12; count += 1) await queues.send(remote, { name: 'other' }, tx)
  })
  await done.promise
  expect(others).toBe(12)
  hanging.resolve()
  await stopRemote()
})

it('finds a retry within seconds, also while another job of its queue hangs', async () => {
  const remote = job({
    ...greeting,
    name: 'test.remote-retry',
    options: { retryLimit: 3, retryDelay: 1, retryDelayMax: 1, expireInSeconds: 60 },
    concurrency: 2,
  })
  await migrateQueues(url, [remote], log)
  const hanging = Promise.withResolvers<void>()
  const retriedOnce = Promise.withResolvers<void>()
  let tries = 0
  const stopRemote = await startWorking([
    work(remote, async ({ name }) => {
      if (name === 'hangs') return hanging.promise
      tries += 1
      if (tries === 1) throw new Error('no')
      retriedOnce.resolve()
    }),
  ])
  await db.transaction().execute((tx) => queues.send(remote, { name: 'hangs' }, tx))
  await db.transaction().execute((tx) => queues.send(remote, { name: 'retried' }, tx))
  await retriedOnce.promise
  expect(tries).toBe(2)
  hanging.resolve()
  await stopRemote()
})

it('runs the waiting jobs of a batch together, and fails all of them if they fail', async () => {
  const together = { ...job({ ...greeting, name: 'test.together' }), batchSize: 3 }
  await migrateQueues(url, [together], log)
  // Jobs of one transaction have no order among them.
  for (const names of [['a', 'b', 'c'], ['broken']]) {
    await db.transaction().execute(async (tx) => {
      for (const name of names) await queues.send(together, { name }, tx)
    })
  }
  const batches: string[][] = []
  const stopTogether = await startWorking([
    workBatch(together, async (all) => {
      batches.push(all.map(({ name }) => name).toSorted())
      if (all.some(({ name }) => name === 'broken')) throw new Error('no')
    }),
  ])
  const state = async () => (await control.states()).find(({ name }) => name === together.name)
  await expect.poll(state).toMatchObject({ dead: 1, unfinished: 0 })
  await stopTogether()
  expect(batches).toEqual([['a', 'b', 'c'], ['broken']])
})

it('logs the error of an unreachable database every half a minute, not at every poll', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  const boss = createBoss(
    { connectionString: url },
    createLog('error', 'test', { write: (line) => void lines.push(line) }),
  )
  const unreachable = Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' })
  const report = (error: object) => boss.emit('error', error as Error)
  // pg-boss reports some errors as plain objects with the same fields.
  const { message, stack, code } = unreachable
  const copy = { message, stack, code }
  for (let poll = 0; poll < 120; poll += 1) [unreachable, copy].forEach(report)
  report({ ...copy, code: '57P01' })
  expect(lines).toHaveLength(2)
  vi.advanceTimersByTime(30_000)
  report(copy)
  const [first, other, second] = lines.map((line) => JSON.parse(line) as object)
  expect(first).toMatchObject({ msg: 'jobs: queue error', count: 0, err: { code: 'ECONNREFUSED' } })
  expect(other).toMatchObject({ count: 0, err: { code: '57P01' } })
  expect(second).toMatchObject({
    count: 239,
    err: { type: 'Error', code: 'ECONNREFUSED', at: expect.arrayContaining([expect.any(String)]) },
  })
})
