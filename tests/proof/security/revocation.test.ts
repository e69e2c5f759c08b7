import { checkAuth, logout, refresh } from '@guidon/contract/auth'
import { resetPassword } from '@guidon/contract/password'
import { expect, it } from 'vitest'
import { boot } from '../../support/boot.ts'
import { limitedConcurrency, withCookies } from '../../support/concurrency.ts'
import { resetTokenFor, resetWith } from '../../support/reset-link.ts'
import type { TestClient } from '../../support/test-client.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'

const { account, admin, newClient, signedIn, sql } = await boot()

type End = (session: { email: string; client: TestClient }) => Promise<unknown>

async function isRefusedAfter(end: End): Promise<boolean> {
  const veteran = await account()
  const client = await signedIn(veteran)
  const [checking, refreshing] = [newClient(), newClient()].map((copy) =>
    withCookies(copy, new Map(client.cookies)),
  )
  const before = await checking!.call(checkAuth, {})
  await end({ email: veteran.email, client })
  const check = await checking!.call(checkAuth, {})
  const refreshed = await refreshing!.call(refresh, {})
  return before.status === 200 && check.status === 401 && refreshed.status === 401
}

async function expectRefused(name: string, end: End): Promise<void> {
  const rounds = smallOrFull(1, 100)
  const refused = await limitedConcurrency(rounds, () => isRefusedAfter(end))
  const accepted = refused.filter((isRefused) => !isRefused).length
  figures(`after ${name}`, { rounds, accepted })
  headline.sum({ 'sessions ended': rounds, 'requests accepted': accepted })
  expect(accepted).toBe(0)
}

it.each<[string, End]>([
  ['logout', ({ client }) => client.call(logout, {})],
  [
    'deactivation',
    ({ email }) => sql.query('update users set is_active = false where email = $1', [email]),
  ],
  [
    'a password reset',
    async ({ email }) =>
      newClient().call(resetPassword, resetWith(await resetTokenFor(newClient(), email))),
  ],
  ['a change of role', ({ email }) => admin.accounts.setRole(email, 'STAFF')],
])('the next request after %s is refused', expectRefused)
