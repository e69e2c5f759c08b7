import { checkAuth, refresh } from '@guidon/contract/auth'
import { expect, it } from 'vitest'
import { boot } from '../test/boot.ts'
import { atOnce, countStatus, limitedConcurrency, withCookies } from './concurrency.ts'
import { figures, size } from './size.ts'

const { account, newClient, signedIn } = await boot()

const AT_ONCE = 20
const rounds = size(6, 100)
const people = () => limitedConcurrency(rounds, async () => signedIn(await account()))
const isIn = async (client: Awaited<ReturnType<typeof signedIn>>) =>
  (await client.call(checkAuth, {})).status === 200 &&
  (await client.call(refresh, {})).status === 204 &&
  (await client.call(checkAuth, {})).status === 200

it('20 refreshes at once sign nobody out, whichever answer the browser keeps', async () => {
  let refused = 0
  let out = 0
  for (const client of await people()) {
    const before = new Map(client.cookies)
    const tabs = Array.from({ length: AT_ONCE }, () => withCookies(newClient(), before))
    const answers = await atOnce(AT_ONCE, (n) => tabs[n]!.call(refresh, {}))
    refused += AT_ONCE - countStatus(answers, 204)
    const kept = tabs[Math.floor(Math.random() * AT_ONCE)]!
    if (!(await isIn(kept))) out += 1
  }
  figures('refreshes at once', { rounds, 'at once': AT_ONCE, refused, 'false sign-outs': out })
  expect({ refused, out }).toEqual({ refused: 0, out: 0 })
})

it('an answer that is lost on its way signs nobody out', async () => {
  let out = 0
  for (const client of await people()) {
    const before = new Map(client.cookies)
    await client.call(refresh, {})
    withCookies(client, before)
    if ((await client.call(refresh, {})).status !== 204 || !(await isIn(client))) out += 1
  }
  figures('lost answers', { rounds, 'false sign-outs': out })
  expect(out).toBe(0)
})

it('a refresh token older than the parent ends the session, for its thief and its owner', async () => {
  let revoked = 0
  let letIn = 0
  for (const client of await people()) {
    const stolen = new Map(client.cookies)
    await client.call(refresh, {})
    await client.call(refresh, {})
    const thief = withCookies(newClient(), stolen)
    const replay = await thief.call(refresh, {})
    if (replay.status !== 401 || thief.cookies.get('guidon-access') !== stolen.get('guidon-access'))
      letIn += 1
    const ends = [await client.call(checkAuth, {}), await client.call(refresh, {})]
    if (countStatus(ends, 401) === ends.length) revoked += 1
  }
  figures('replayed grandparents', { rounds, revoked, 'let in': letIn })
  expect({ revoked, letIn }).toEqual({ revoked: rounds, letIn: 0 })
})
