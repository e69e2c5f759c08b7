import { randomUUID } from 'node:crypto'
import { login, verifyLogin } from '@guidon/contract/auth'
import {
  CODE_TRIES,
  LIMIT_WINDOW_MINUTES,
  MAILS_TO_EMAIL,
  SIGN_IN_CODES,
  SIGN_IN_TRIES,
  SIGN_UPS_FROM_ADDRESS,
  WRONG_CODES_A_DAY,
  WRONG_SIGN_INS_A_DAY,
  WRONG_SIGN_INS_FROM_ADDRESS,
} from '@guidon/contract/limits'
import { resetPassword } from '@guidon/contract/password'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import { describe, expect, it } from 'vitest'
import { boot, NEWCOMER } from '../../support/boot.ts'
import { countStatus, countRows, limitedConcurrency, moveClock } from '../../support/concurrency.ts'
import { mailbox, newestCodeMail } from '../../support/mailbox.ts'
import { NEW_PASSWORD, resetTokenFor, resetWith } from '../../support/reset-link.ts'
import type { TestClient } from '../../support/test-client.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'

const { account, admin, signedIn, newClient, sql } = await boot({
  environment: { ADDRESS_LIMIT_FACTOR: '1' },
})

const MAX_WAIT_SECONDS = LIMIT_WINDOW_MINUTES * 60
const TRIES = smallOrFull(200, 2_000)
const WRONG_PASSWORD = 'Wrong-Lantern-42!'
/** One guess more for each code than the API compares. */
const GUESSES = CODE_TRIES + 1

let networks = 0
const newAddress = () => `2001:db8:${(networks += 1).toString(16)}::1`
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const signIn = (client: TestClient, body: { email: string; password: string }, address: string) =>
  client.call(login, { body, ...from(address) })
const retryAfter = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'))

const comparisons = (email: string) =>
  countRows(
    sql,
    `audit_events join users on users.id = subject_id
     where email = $1 and event = 'sign_in_refused'`,
    [email],
  )

const attack = (email: string, addressOf: (n: number) => string) =>
  limitedConcurrency(
    TRIES,
    (n) => signIn(newClient(), { email, password: WRONG_PASSWORD }, addressOf(n)),
    8,
  )

/** Enters wrong passwords until the wait no longer grows, and returns the longest wait. */
async function longestWait(owner: TestClient, email: string): Promise<number> {
  let longest = 0
  for (let n = 0; n < SIGN_IN_TRIES + 12; n += 1) {
    const response = await signIn(owner, { email, password: WRONG_PASSWORD }, newAddress())
    if (response.status === 400) continue
    expect(response.body.message).toMatch(/Please try again in \d+ minutes?\.$/)
    longest = Math.max(longest, retryAfter(response))
    await moveClock(sql, retryAfter(response) / 60)
  }
  return longest
}

describe('an attacker', () => {
  it('who uses one IPv6 network gets only five passwords compared and locks nobody out', async () => {
    const veteran = await account()
    const owner = await signedIn(veteran)
    const responses = await attack(veteran.email, (n) => `2001:db8:ffff:1::${(n + 1).toString(16)}`)
    const compared = await comparisons(veteran.email)
    const onKnownDevice = await signIn(owner, veteran, newAddress())
    const onOtherDevice = await signIn(newClient(), veteran, newAddress())
    figures('one /64', {
      tries: responses.length,
      compared,
      refused: countStatus(responses, 429),
    })
    headline.sum({ tries: responses.length })
    headline.max({ 'compared for one account': compared })
    expect(compared).toBe(SIGN_IN_TRIES)
    expect([onKnownDevice.status, onOtherDevice.status]).toEqual([204, 204])
  })

  it('who uses many networks gets only 50 passwords a day compared, and a known device is not affected', async () => {
    const veteran = await account()
    const owner = await signedIn(veteran)
    const responses = await attack(veteran.email, newAddress)
    const compared = await comparisons(veteran.email)
    const onNewDevice = await signIn(newClient(), veteran, newAddress())
    const onKnownDevice = await signIn(owner, veteran, newAddress())
    const wait = await longestWait(owner, veteran.email)
    figures('many networks', { tries: responses.length, compared, 'longest wait, s': wait })
    headline.sum({ tries: responses.length })
    headline.max({ 'compared for one account': compared, 'longest wait s': wait })
    expect(compared).toBe(WRONG_SIGN_INS_A_DAY)
    expect(onNewDevice).toMatchObject({ status: 429 })
    expect(onNewDevice.body.message).toMatch(/in about \d+ hours\. .*Forgot password/)
    expect(onKnownDevice.status).toBe(204)
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(MAX_WAIT_SECONDS)
  })

  it('cannot lock out the owner after a reset by email, even while the attack continues', async () => {
    const veteran = await account()
    await attack(veteran.email, newAddress)
    const owner = newClient()
    expect((await signIn(owner, veteran, newAddress())).status).toBe(429)
    const token = await resetTokenFor(owner, veteran.email)
    expect((await owner.call(resetPassword, resetWith(token))).status).toBe(204)
    const newCredentials = { email: veteran.email, password: NEW_PASSWORD }
    const afterReset = await signIn(owner, newCredentials, newAddress())
    await attack(veteran.email, newAddress)
    const underAttack = await signIn(owner, newCredentials, newAddress())
    const wait = await longestWait(owner, veteran.email)
    await admin.accounts.unlock(veteran.email)
    const unlocked = await signIn(newClient(), newCredentials, newAddress())
    figures('after a reset', { tries: 2 * TRIES, 'longest wait, s': wait })
    headline.sum({ tries: 2 * TRIES })
    headline.max({ 'longest wait s': wait })
    expect([afterReset, underAttack, unlocked].map(({ status }) => status)).toEqual([204, 204, 204])
    expect(wait).toBeLessThanOrEqual(MAX_WAIT_SECONDS)
  })

  it('who tries many accounts from one address gets only 100 passwords compared in 15 minutes', async () => {
    const veteran = await account()
    const owner = await signedIn(veteran)
    const address = newAddress()
    const tries = TRIES
    const responses = await limitedConcurrency(tries, () => {
      const body = { email: `${randomUUID()}@example.com`, password: WRONG_PASSWORD }
      return signIn(newClient(), body, address)
    })
    const compared = countStatus(responses, 400)
    const waits = responses.filter(({ status }) => status === 429).map(retryAfter)
    const onKnownDevice = await signIn(owner, veteran, address)
    const onOtherDevice = await signIn(newClient(), veteran, newAddress())
    figures('one address, many accounts', {
      tries,
      compared,
      'longest wait, s': Math.max(...waits),
    })
    headline.sum({ tries })
    headline.max({ 'compared from one address': compared, 'longest wait s': Math.max(...waits) })
    expect(compared).toBe(WRONG_SIGN_INS_FROM_ADDRESS)
    expect(Math.max(...waits)).toBeLessThanOrEqual(MAX_WAIT_SECONDS)
    expect([onKnownDevice.status, onOtherDevice.status]).toEqual([204, 204])
  })

  it('who has the password can neither flood the mailbox nor use up the owner’s codes', async () => {
    const veteran = await account()
    const owner = await signedIn(veteran)
    const logins = await limitedConcurrency(200, async () => {
      const thief = newClient()
      const { status } = await signIn(thief, veteran, newAddress())
      const guess = () =>
        thief.call(verifyLogin, { body: { email: veteran.email, code: '000000' } })
      return { status, guesses: await limitedConcurrency(status === 204 ? GUESSES : 0, guess, 1) }
    })
    const guesses = logins.flatMap((each) => each.guesses)
    const last = await newestCodeMail(veteran.email, 1 + countStatus(logins, 204))
    await signIn(owner, veteran, newAddress())
    const code = await mailbox.codeFor(veteran.email, { after: last.id })
    const verified = await owner.call(verifyLogin, { body: { email: veteran.email, code } })
    const codes = countStatus(logins, 204)
    figures('with the password', { 'sign-ins': logins.length, codes, guesses: guesses.length })
    // One of the codes was used for the owner's first sign-in.
    expect(codes).toBe(SIGN_IN_CODES - 1)
    expect(countStatus(guesses, 400)).toBeLessThanOrEqual(WRONG_CODES_A_DAY)
    expect(verified.status).toBe(200)
  })

  it('who signs up with the email of another does not prevent its owner from signing up', async () => {
    const email = `${randomUUID()}@example.com`
    const address = newAddress()
    const body = { ...NEWCOMER, lastName: 'Attacker', email }
    const signUps = await limitedConcurrency(60, async () => {
      const attacker = newClient()
      const { status } = await attacker.call(register, { body, ...from(address) })
      const guess = { body: { email, code: '000000' }, ...from(address) }
      const guesses = status === 202 ? GUESSES : 0
      for (let n = 0; n < guesses; n += 1) await attacker.call(verifyEmail, guess)
      return { status }
    })
    const last = await newestCodeMail(email, countStatus(signUps, 202))
    const owner = newClient()
    const ownerAddress = from(newAddress())
    const registered = await owner.call(register, {
      body: { ...NEWCOMER, email },
      ...ownerAddress,
    })
    const code = await mailbox.codeFor(email, { after: last.id })
    const verified = await owner.call(verifyEmail, { body: { email, code }, ...ownerAddress })
    const { rows } = await sql.query('select last_name from users where email = $1', [email])
    const mails = (await mailbox.mailsTo(email)).length
    figures('sign-ups with another’s email', {
      tries: signUps.length,
      accepted: countStatus(signUps, 202),
      mails,
    })
    expect([registered.status, verified.status]).toEqual([202, 200])
    expect(rows).toEqual([{ last_name: NEWCOMER.lastName }])
    expect(mails).toBeLessThanOrEqual(MAILS_TO_EMAIL)
  })

  it('who uses one address causes emails to at most 20 others in 15 minutes', async () => {
    const address = newAddress()
    const responses = await limitedConcurrency(200, () => {
      const body = { ...NEWCOMER, email: `${randomUUID()}@example.com` }
      return newClient().call(register, { body, ...from(address) })
    })
    const waits = responses.filter(({ status }) => status === 429).map(retryAfter)
    figures('sign-ups from one address', {
      tries: responses.length,
      accepted: countStatus(responses, 202),
      'longest wait, s': Math.max(...waits),
    })
    headline.max({ 'longest wait s': Math.max(...waits) })
    expect(countStatus(responses, 202)).toBe(SIGN_UPS_FROM_ADDRESS)
    expect(Math.max(...waits)).toBeLessThanOrEqual(MAX_WAIT_SECONDS)
  })
})
