import { checkAuth, refresh } from '@guidon/contract/auth'
import { describe, expect, it } from 'vitest'
import { boot } from '../../support/boot.ts'
import {
  concurrently,
  countStatus,
  limitedConcurrency,
  withCookies,
} from '../../support/concurrency.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'

const { account, newClient, signedIn } = await boot()

const CONCURRENT_REFRESHES = 20
const ROUNDS = smallOrFull(5, 100)
const signedInClients = () => limitedConcurrency(ROUNDS, async () => signedIn(await account()))
const isSignedIn = async (client: Awaited<ReturnType<typeof signedIn>>) =>
  (await client.call(checkAuth, {})).status === 200 &&
  (await client.call(refresh, {})).status === 204 &&
  (await client.call(checkAuth, {})).status === 200

describe('a session', () => {
  it('survives 20 concurrent refreshes, no matter which response the browser keeps', async () => {
    let refused = 0
    let signedOut = 0
    for (const client of await signedInClients()) {
      const before = new Map(client.cookies)
      const tabs = Array.from({ length: CONCURRENT_REFRESHES }, () =>
        withCookies(newClient(), before),
      )
      const responses = await concurrently(CONCURRENT_REFRESHES, (n) => tabs[n]!.call(refresh, {}))
      refused += CONCURRENT_REFRESHES - countStatus(responses, 204)
      const kept = tabs[Math.floor(Math.random() * CONCURRENT_REFRESHES)]!
      if (!(await isSignedIn(kept))) signedOut += 1
    }
    figures('concurrent refreshes', {
      rounds: ROUNDS,
      'at once': CONCURRENT_REFRESHES,
      refused,
      'false sign-outs': signedOut,
    })
    headline.sum({ rounds: ROUNDS, 'false sign-outs': signedOut })
    expect({ refused, signedOut }).toEqual({ refused: 0, signedOut: 0 })
  })

  it('survives a refresh whose response is lost', async () => {
    let signedOut = 0
    for (const client of await signedInClients()) {
      const before = new Map(client.cookies)
      await client.call(refresh, {})
      withCookies(client, before)
      const { status } = await client.call(refresh, {})
      if (status !== 204 || !(await isSignedIn(client))) signedOut += 1
    }
    figures('lost responses', { rounds: ROUNDS, 'false sign-outs': signedOut })
    headline.sum({ rounds: ROUNDS, 'false sign-outs': signedOut })
    expect(signedOut).toBe(0)
  })

  it('ends for thief and owner when a refresh token older than the previous one is used', async () => {
    let revoked = 0
    let accepted = 0
    for (const client of await signedInClients()) {
      const stolen = new Map(client.cookies)
      await client.call(refresh, {})
      await client.call(refresh, {})
      const thief = withCookies(newClient(), stolen)
      const { status } = await thief.call(refresh, {})
      const gotNewToken = thief.cookies.get('guidon-access') !== stolen.get('guidon-access')
      if (status !== 401 || gotNewToken) accepted += 1
      const after = [await client.call(checkAuth, {}), await client.call(refresh, {})]
      if (countStatus(after, 401) === after.length) revoked += 1
    }
    figures('replayed tokens older than the previous one', { rounds: ROUNDS, revoked, accepted })
    headline.sum({ 'tokens replayed': ROUNDS, 'replays accepted': accepted })
    expect({ revoked, accepted }).toEqual({ revoked: ROUNDS, accepted: 0 })
  })
})
