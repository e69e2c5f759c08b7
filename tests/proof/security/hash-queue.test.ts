import { randomUUID } from 'node:crypto'
import { login } from '@guidon/contract/auth'
import { SIGN_IN_TRIES } from '@guidon/contract/limits'
import { expect, it } from 'vitest'
import { boot } from '../../support/boot.ts'
import { concurrently, countStatus, limitedConcurrency } from '../../support/concurrency.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'

/** How many sign-ins may be in hashing or wait for it at the same time. */
const CAPACITY = 4
const CONCURRENT_CLIENTS = 16
const { account, newClient } = await boot({
  worker: false,
  environment: { HASH_CONCURRENCY: '1', HASH_QUEUE: String(CAPACITY - 1) },
})

it('a sign-in that is refused because the queue is full does not count as a try', async () => {
  const rounds = smallOrFull(1, 50)
  const tries = SIGN_IN_TRIES + 1
  let queueFull = 0
  let lockedOut = 0
  for (let n = 0; n < rounds; n += 1) {
    const veteran = await account()
    const signIn = (body: typeof veteran) => newClient().call(login, { body })
    const load = { running: true }
    // A new email each time, so that only the queue refuses.
    const others = concurrently(CONCURRENT_CLIENTS, async () => {
      while (load.running) await signIn({ ...veteran, email: `${randomUUID()}@example.com` })
    })
    let [refused, blocked] = [0, 0]
    while (refused < tries && blocked === 0) {
      const { status } = await signIn(veteran)
      if (status === 503) refused += 1
      else if (status === 429) blocked += 1
    }
    load.running = false
    await others
    queueFull += refused
    if (blocked > 0 || (await signIn(veteran)).status !== 204) lockedOut += 1
  }
  figures('full hash queue', { rounds, refused: queueFull, 'locked out': lockedOut })
  headline.sum({ 'refused while full': queueFull, 'locked out': lockedOut })
  expect(lockedOut).toBe(0)
})

it('of many concurrent sign-ins, at least as many as fit into the queue are served, and the others refused', async () => {
  const accounts = await limitedConcurrency(CAPACITY * 5, () => account())
  const responses = await concurrently(accounts.length, (n) =>
    newClient().call(login, { body: accounts[n]! }),
  )
  const [served, refused] = [countStatus(responses, 204), countStatus(responses, 503)]
  figures('hash queue', { offered: accounts.length, served, refused })
  headline.sum({ 'offered at once': accounts.length, served })
  expect(served + refused).toBe(accounts.length)
  expect(served).toBeGreaterThanOrEqual(CAPACITY)
  const after = await limitedConcurrency(CAPACITY, (n) =>
    newClient().call(login, { body: accounts[n]! }),
  )
  expect(countStatus(after, 204)).toBe(CAPACITY)
})
