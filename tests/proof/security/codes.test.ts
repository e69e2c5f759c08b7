import { login, resendVerificationCode, verifyLogin } from '@guidon/contract/auth'
import { CODE_TRIES, WRONG_CODES_A_DAY } from '@guidon/contract/limits'
import { expect, it } from 'vitest'
import { boot } from '../../support/boot.ts'
import {
  concurrently,
  countRows,
  countSessions,
  countStatus,
  limitedConcurrency,
  moveClock,
} from '../../support/concurrency.ts'
import { mailbox } from '../../support/mailbox.ts'
import type { TestClient } from '../../support/test-client.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'

const { account, newClient, sql } = await boot()

const CONCURRENT_REQUESTS = 50
const ADDRESSES = 20
const WAVES_PER_CODE = 10
/** At most five codes an hour are sent, hence this pause. The whole attack still stays within one day. */
const MINUTES_PER_CODE = 13
const PATIENT_CODES = 8

const startSignIn = async () => {
  const veteran = await account()
  const client = newClient()
  await client.call(login, { body: veteran })
  return { ...veteran, client, code: await mailbox.codeFor(veteran.email) }
}

/** An attacker who has the password and the challenge, but not the mailbox. */
const attackerOf = (veteran: { email: string; password: string }) => {
  let client: TestClient = newClient()
  let rightCode = ''
  let guesses = 0
  const newCode = async () => {
    await moveClock(sql, MINUTES_PER_CODE)
    const [last] = await mailbox.mailsTo(veteran.email, { waitMs: 0 })
    const again = await client.call(resendVerificationCode, {
      body: { email: veteran.email, verificationType: 'login' },
    })
    if (again.status !== 202) {
      client = newClient()
      await client.call(login, { body: veteran })
    }
    rightCode = await mailbox.codeFor(veteran.email, { after: last?.id ?? '' })
  }
  const guess = async () => {
    guesses += 1
    const digits = String(Math.floor(Math.random() * 1_000_000)).padStart(6, '0')
    return client.call(verifyLogin, {
      body: { email: veteran.email, code: digits === rightCode ? '000000' : digits },
      headers: { 'x-forwarded-for': `203.0.113.${guesses % ADDRESSES}` },
    })
  }
  return {
    newCode,
    guess,
    guesses: () => guesses,
    enterRightCode: () =>
      client.call(verifyLogin, { body: { email: veteran.email, code: rightCode } }),
  }
}

it('at most 20 guessed codes a day are compared, and none opens a session', async () => {
  const veteran = await account()
  const attacker = attackerOf(veteran)
  const guessCount = smallOrFull(200, 10_000)
  const responses: { status: number }[] = []

  // First a patient attacker who uses only the allowed tries, then brute force.
  for (let n = 0; n < PATIENT_CODES; n += 1) {
    await attacker.newCode()
    responses.push(...(await concurrently(CODE_TRIES, attacker.guess)))
  }
  for (let wave = 0; attacker.guesses() < guessCount; wave += 1) {
    if (wave % WAVES_PER_CODE === 0) await attacker.newCode()
    responses.push(...(await concurrently(CONCURRENT_REQUESTS, attacker.guess)))
  }

  const ofAccount = `audit_events join users on users.id = subject_id
    where email = $1 and event = 'code_refused'`
  const compared = await countRows(sql, `${ofAccount} and details @> '{"compared": true}'`, [
    veteran.email,
  ])
  // Further guesses that are not compared are counted in blocked_tries until the worker logs their number.
  const { rows } = await sql.query<{ recorded: number }>(
    `select (select sum(coalesce((details ->> 'count')::int, 1)) from ${ofAccount})::int
       + (select coalesce(sum(count - 1), 0) from blocked_tries
          join users on users.id = subject_id where email = $1)::int as recorded`,
    [veteran.email],
  )
  const { recorded } = rows[0]!
  const logged = await countRows(sql, ofAccount, [veteran.email])
  const sessions = await countSessions(sql, veteran.email)
  figures('guessed codes', { guesses: attacker.guesses(), recorded, logged, compared, sessions })
  headline.sum({ guesses: attacker.guesses(), compared, 'sessions by guesses': sessions })
  expect(countStatus(responses, 400) + countStatus(responses, 429)).toBe(attacker.guesses())
  expect(recorded).toBe(attacker.guesses())
  // One event for each compared guess and for each source, not one for each guess.
  expect(logged).toBeLessThanOrEqual(2 * ADDRESSES + WRONG_CODES_A_DAY)
  expect(compared).toBe(WRONG_CODES_A_DAY)
  expect(sessions).toBe(0)
  // The daily limit refuses the right code too, so that guessing cannot continue.
  expect(await attacker.enterRightCode()).toMatchObject({ status: 429 })
})

it('the right code, entered many times at once, opens exactly one session', async () => {
  const rounds = smallOrFull(5, 200)
  const signIns = await limitedConcurrency(rounds, startSignIn)
  let opened = 0
  let wrong = 0
  for (const { email, code, client } of signIns) {
    const cookies = new Map(client.cookies)
    const responses = await concurrently(CONCURRENT_REQUESTS, () => {
      const tab = newClient()
      for (const [name, value] of cookies) tab.cookies.set(name, value)
      return tab.call(verifyLogin, { body: { email, code } })
    })
    const sessions = await countSessions(sql, email)
    opened += sessions
    if (countStatus(responses, 200) === 0 || sessions !== 1) wrong += 1
  }
  figures('the right code at once', {
    rounds,
    'at once': CONCURRENT_REQUESTS,
    opened,
    'wrong rounds': wrong,
  })
  headline.sum({ 'wrong rounds of the right code': wrong })
  expect(wrong).toBe(0)
  expect(opened).toBe(rounds)
})
