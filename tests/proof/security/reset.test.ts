import { login } from '@guidon/contract/auth'
import { resetPassword } from '@guidon/contract/password'
import { expect, it } from 'vitest'
import { boot } from '../../support/boot.ts'
import {
  BUSY,
  concurrently,
  countRows,
  countStatus,
  limitedConcurrency,
  retryWhileBusy,
} from '../../support/concurrency.ts'
import { NEW_PASSWORD, resetTokenFor, resetWith } from '../../support/reset-link.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'

const { account, newClient, sql } = await boot()

const OTHER_PASSWORD = 'Other8!harbor-stone'
const CONCURRENT_REQUESTS = smallOrFull(20, 50)
const rounds = smallOrFull(1, 20)
const resetLinks = () =>
  limitedConcurrency(rounds, async () => {
    const veteran = await account()
    return { ...veteran, token: await resetTokenFor(newClient(), veteran.email) }
  })

it('a reset link used many times concurrently sets one password, and is void afterwards', async () => {
  const links = await resetLinks()
  let used = 0
  let wrong = 0
  let replayed = 0
  for (const { email, token } of links) {
    const tries = await concurrently(CONCURRENT_REQUESTS, () =>
      newClient().call(resetPassword, resetWith(token)),
    )
    const succeeded = countStatus(tries, 204)
    const audited = await countRows(
      sql,
      `audit_events join users on users.id = subject_id
       where email = $1 and event = 'password_reset'`,
      [email],
    )
    const signIn = await retryWhileBusy(() =>
      newClient().call(login, { body: { email, password: NEW_PASSWORD } }),
    )
    used += audited
    const refused = countStatus(tries, 400) + countStatus(tries, BUSY)
    // Several may succeed: a repetition with the same password gets the same response. One is audited.
    if (succeeded === 0 || succeeded + refused !== CONCURRENT_REQUESTS) wrong += 1
    else if (audited !== 1 || signIn.status !== 204) wrong += 1
    const again = await retryWhileBusy(() =>
      newClient().call(resetPassword, resetWith(token, OTHER_PASSWORD)),
    )
    if (again.status !== 400 || again.body.code !== 'reset_link_void') replayed += 1
  }
  figures('reset links', {
    rounds,
    'at once': CONCURRENT_REQUESTS,
    used,
    'wrong rounds': wrong,
    replayed,
  })
  headline.sum({ links: rounds, 'used twice or not at all': wrong, replayed })
  expect({ used, wrong, replayed }).toEqual({ used: rounds, wrong: 0, replayed: 0 })
})

it('a reset link is void after its account is deactivated', async () => {
  let used = 0
  for (const { email, token } of await resetLinks()) {
    const storedHash = async () =>
      (await sql.query('select password_hash from users where email = $1', [email])).rows
    const before = await storedHash()
    await sql.query('update users set is_active = false where email = $1', [email])
    const tries = await concurrently(CONCURRENT_REQUESTS, () =>
      newClient().call(resetPassword, resetWith(token)),
    )
    used += CONCURRENT_REQUESTS - countStatus(tries, 400)
    expect(await storedHash()).toEqual(before)
  }
  figures('reset links after deactivation', { rounds, 'at once': CONCURRENT_REQUESTS, used })
  headline.sum({ 'used after deactivation': used })
  expect(used).toBe(0)
})
