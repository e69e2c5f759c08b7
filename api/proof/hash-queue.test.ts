import { randomUUID } from 'node:crypto'
import { login } from '@guidon/contract/auth'
import { SIGN_IN_TRIES } from '@guidon/contract/limits'
import { expect, it } from 'vitest'
import { boot } from '../test/boot.ts'
import { atOnce, countStatus, limitedConcurrency } from './concurrency.ts'
import { figures, size } from './size.ts'

const LINE = 4
const CROWD = 16
const { account, newClient } = await boot({
  worker: false,
  environment: { HASH_CONCURRENCY: '1', HASH_QUEUE: String(LINE - 1) },
})

it('being sent away for the crowd costs no try', async () => {
  const rounds = size(3, 50)
  const tries = SIGN_IN_TRIES + 1
  let sentAway = 0
  let shutOut = 0
  for (let n = 0; n < rounds; n += 1) {
    const one = await account()
    const signIn = (body: typeof one) => newClient().call(login, { body })
    const crowded = { now: true }
    // Another email each time: these meet no limit but the line's.
    const crowd = atOnce(CROWD, async () => {
      while (crowded.now) await signIn({ ...one, email: `${randomUUID()}@example.com` })
    })
    let [refused, blocked] = [0, 0]
    while (refused < tries && blocked === 0) {
      const { status } = await signIn(one)
      if (status === 503) refused += 1
      else if (status === 429) blocked += 1
    }
    crowded.now = false
    await crowd
    sentAway += refused
    if (blocked > 0 || (await signIn(one)).status !== 204) shutOut += 1
  }
  figures('sent away for the crowd', { rounds, 'sent away': sentAway, 'shut out': shutOut })
  expect(shutOut).toBe(0)
})

it('the line takes no more than its length at once, and nobody is forgotten in it', async () => {
  const crowd = await limitedConcurrency(LINE * 5, () => account())
  const answers = await atOnce(crowd.length, (n) => newClient().call(login, { body: crowd[n]! }))
  const [served, away] = [countStatus(answers, 204), countStatus(answers, 503)]
  figures('the line', { offered: crowd.length, served, 'sent away': away })
  expect(served + away).toBe(crowd.length)
  expect(served).toBeGreaterThanOrEqual(LINE)
  const after = await limitedConcurrency(LINE, (n) => newClient().call(login, { body: crowd[n]! }))
  expect(countStatus(after, 204)).toBe(LINE)
})
