import { checkAuth, logout, refresh } from '@guidon/contract/auth'
import { resetPassword } from '@guidon/contract/password'
import { afterAll, expect, it } from 'vitest'
import { composeAdmin } from '../src/main/compose.ts'
import { createLog } from '../src/platform/log.ts'
import { boot } from '../test/boot.ts'
import type { TestClient } from '../test/test-client.ts'
import { limitedConcurrency, withCookies } from './concurrency.ts'
import { resetTokenFor, resetWith } from './reset-link.ts'
import { figures, size } from './size.ts'

const { account, config, newClient, signedIn, sql } = await boot()
const admin = await composeAdmin(config, createLog('silent', 'test'))
afterAll(() => admin.close())

type Ending = (one: { email: string; client: TestClient }) => Promise<unknown>

const endings: Record<string, Ending> = {
  logout: ({ client }) => client.call(logout, {}),
  deactivation: ({ email }) =>
    sql.query('update users set is_active = false where email = $1', [email]),
  'a password reset': async ({ email }) =>
    newClient().call(resetPassword, resetWith(await resetTokenFor(newClient(), email))),
  'a change of role': ({ email }) => admin.accounts.setRole(email, 'STAFF'),
}

it.each(Object.entries(endings))('after %s the very next request is refused', async (name, end) => {
  const rounds = size(5, 100)
  const refused = await limitedConcurrency(rounds, async () => {
    const one = await account()
    const client = await signedIn(one)
    // Two devices of the same session's cookies: one asks, the other renews.
    const [asks, renews] = [new Map(client.cookies), new Map(client.cookies)].map((cookies) =>
      withCookies(newClient(), cookies),
    )
    const before = (await asks!.call(checkAuth, {})).status
    await end({ email: one.email, client })
    const [next, renewal] = [await asks!.call(checkAuth, {}), await renews!.call(refresh, {})]
    return before === 200 && next.status === 401 && renewal.status === 401
  })
  const letIn = refused.filter((yes) => !yes).length
  figures(`after ${name}`, { rounds, 'let in': letIn })
  expect(letIn).toBe(0)
})
