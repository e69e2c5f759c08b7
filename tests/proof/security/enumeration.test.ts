import { randomBytes, randomUUID } from 'node:crypto'
import { login, resendVerificationCode, verifyLogin } from '@guidon/contract/auth'
import { forgotPassword, resetPassword } from '@guidon/contract/password'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import { afterAll, expect, inject, it } from 'vitest'
import { passwords } from '../../../api/src/passwords/passwords.ts'
import { boot, NEWCOMER } from '../../support/boot.ts'
import { moveClock } from '../../support/concurrency.ts'
import { httpClient } from '../../support/outside/http-client.ts'
import type { TimedResponse } from '../../support/outside/http-client.ts'
import { NEW_PASSWORD, resetWith } from '../../support/reset-link.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'
import { auc, aucTolerance } from './auc.ts'

const OLD_PEPPER = randomBytes(32)
// No worker: it shares this process and sends email only to existing accounts, which would distort the times.
const { account, base, config, sql } = await boot({
  worker: false,
  environment: {
    PASSWORD_PEPPER: [
      inject('environment')['PASSWORD_PEPPER'],
      OLD_PEPPER.toString('base64'),
    ].join(),
  },
})
// Over one open connection: connecting is not measured.
const { send: sendTimed, close } = httpClient(base, config.PUBLIC_URL, 1)
afterAll(close)
const post = (path: string, body: object, cookie = '') =>
  sendTimed({ method: 'POST', path, body, cookie })

const DIFFERENT_EACH_TIME = new Set(['date', 'x-request-id'])

/** Status, headers and body, without what differs in every response: date, request id, cookie values. */
const fingerprintOf = ({ status, rawHeaders, body }: TimedResponse) =>
  [status, ...comparableHeaders(rawHeaders), body.toString('latin1')].join('\n')

function comparableHeaders(raw: readonly string[]): string[] {
  const lines: string[] = []
  for (let n = 0; n < raw.length; n += 2) {
    const name = raw[n]!.toLowerCase()
    if (DIFFERENT_EACH_TIME.has(name)) continue
    const value = raw[n + 1]!
    lines.push(`${name}: ${name === 'set-cookie' ? value.replace(/=[^;]*/, '=…') : value}`)
  }
  return lines
}

const SAMPLES = smallOrFull(2, 1_000)
const WARM_UP = smallOrFull(0, 50)
const MAX_DEVIATION_AT_FULL_SIZE = 0.05
/** With few samples, chance alone exceeds the allowed deviation. */
const maxDeviation = Math.max(MAX_DEVIATION_AT_FULL_SIZE, aucTolerance(SAMPLES, 3.8))

const newEmails = () =>
  Array.from({ length: SAMPLES + WARM_UP }, () => `${randomUUID()}@example.com`)

/** Copies one account, because hashing a password for each would take minutes. */
async function accounts(role: 'USER' | 'STAFF', isActive: boolean): Promise<string[]> {
  const { email } = await account(role)
  const emails = newEmails()
  await sql.query(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role, is_active)
     select given, password_hash, first_name, last_name, phone, state, role, $3
     from users, unnest($2::text[]) as given where email = $1`,
    [email, emails, isActive],
  )
  return emails
}

async function unverifiedSignUps(): Promise<string[]> {
  const { email } = await account()
  const emails = newEmails()
  await sql.query(
    `with typed as (
       insert into sign_ups (email, password_hash, first_name, last_name, phone, state, consents)
       select given, password_hash, first_name, last_name, phone, state, '[]'
       from users, unnest($2::text[]) as given where email = $1 returning id)
     insert into challenges (token_hash, sign_up_id, purpose, expires_at)
     select sha256(id::text::bytea), id, 'email', now() + interval '30 minutes' from typed`,
    [email, emails],
  )
  return emails
}

type Kinds = Record<string, readonly string[]>

/** Every sample has its own email of each kind, so that no limit applies. */
async function allKinds(): Promise<Kinds> {
  const kinds = {
    unknown: newEmails(),
    unverified: await unverifiedSignUps(),
    active: await accounts('USER', true),
    deactivated: await accounts('USER', false),
    staff: await accounts('STAFF', true),
  }
  await sql.query('analyze users, sign_ups, challenges')
  return kinds
}

type Request = (email: string) => Promise<TimedResponse>

/** Sends the same request for every kind in random order and compares its times with those of unknown emails. */
async function compare(title: string, kinds: Kinds, send: Request) {
  const names = Object.keys(kinds)
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]]))
  const fingerprints = new Set<string>()
  for (let index = 0; index < SAMPLES + WARM_UP; index += 1) {
    const order = names.map((name) => ({ name, at: Math.random() })).toSorted((a, b) => a.at - b.at)
    for (const { name } of order) {
      const response = await send(kinds[name]![index]!)
      fingerprints.add(fingerprintOf(response))
      if (index >= WARM_UP) times[name]!.push(response.ms)
    }
  }
  const measured = names
    .filter((name) => name !== 'unknown')
    .map((name) => ({ name, auc: auc(times[name]!, times['unknown']!) }))
  figures(title, {
    'samples of each': SAMPLES,
    'different responses': fingerprints.size - 1,
    'allowed 0.5 ±': maxDeviation.toFixed(3),
    ...Object.fromEntries(
      measured.map(({ name, auc: value }) => [`AUC ${name}`, value.toFixed(3)]),
    ),
  })
  headline.sum({ comparisons: 1, 'different responses': fingerprints.size - 1 })
  headline.max({
    'largest deviation of AUC': Math.max(...measured.map((each) => Math.abs(each.auc - 0.5))),
    allowed: maxDeviation,
  })
  const distinguishable = measured.filter((each) => Math.abs(each.auc - 0.5) > maxDeviation)
  return { responses: [...fingerprints], distinguishable: distinguishable.map(({ name }) => name) }
}

type Comparison = Awaited<ReturnType<typeof compare>>

/** The comparisons in which some response, or the times of some kind, differed. */
const differing = (comparisons: Readonly<Record<string, Comparison>>) =>
  Object.entries(comparisons).filter(
    ([, { responses, distinguishable }]) => responses.length !== 1 || distinguishable.length > 0,
  )

const WRONG_PASSWORD = 'Wrong-Lantern-42!'
const WRONG_CODE = '000000'
const FORGED = 'guidon-challenge=forged'

/** Leaves the challenges as the worker would: a decoy has an expiry, but no code. */
const sendCodes = () =>
  sql.query(
    `update challenges set code_expires_at = now() + interval '10 minutes',
       code_hash = case when decoy then null else sha256(id::text::bytea) end`,
  )

async function signUps(title: string, kinds: Kinds) {
  const challenges = new Map<string, string>()
  const registered = await compare(title, kinds, async (email) => {
    const response = await post(register.path, { ...NEWCOMER, password: NEW_PASSWORD, email })
    challenges.set(email, response.cookies[0] ?? '')
    return response
  })
  await sendCodes()
  return { registered, challengeOf: (email: string) => challenges.get(email) }
}

it('what follows a sign-up does not reveal whether the email is known', async () => {
  const kinds = await allKinds()
  const { registered, challengeOf } = await signUps('register', kinds)
  const sendWrongCode: Request = (email) =>
    post(verifyEmail.path, { email, code: WRONG_CODE }, challengeOf(email))
  const wrongCodes = await compare('register, then verify-email', kinds, sendWrongCode)
  const signInCodes = await compare('register, then verify-login', kinds, (email) =>
    post(verifyLogin.path, { email, code: WRONG_CODE }, challengeOf(email)),
  )
  await moveClock(sql, 1)
  const resends = await compare('register, then resend-verification-code', kinds, (email) =>
    post(resendVerificationCode.path, { email, verificationType: 'email' }, challengeOf(email)),
  )
  await sendCodes()
  const later = await compare('resend-verification-code, then verify-email', kinds, sendWrongCode)
  const resetRequests = await compare('register, then forgot-password', kinds, (email) =>
    post(forgotPassword.path, { email }),
  )
  const signIns = await compare('register, forgot-password, then login', kinds, (email) =>
    post(login.path, { email, password: NEW_PASSWORD }),
  )
  const { registered: again } = await signUps('register, forgot-password, login, register', kinds)
  expect(
    differing({
      registered,
      wrongCodes,
      signInCodes,
      resends,
      later,
      again,
      signIns,
      resetRequests,
    }),
  ).toEqual([])
})

it('a wrong password and what follows it do not reveal whether the email is known', async () => {
  const kinds = await allKinds()
  const signIns = await compare('login', kinds, (email) =>
    post(login.path, { email, password: WRONG_PASSWORD }),
  )
  const codes = await compare('login, then verify-login', kinds, (email) =>
    post(verifyLogin.path, { email, code: WRONG_CODE }, FORGED),
  )
  const resends = await compare('login, then resend-verification-code', kinds, (email) =>
    post(resendVerificationCode.path, { email, verificationType: 'login' }, FORGED),
  )
  const resetRequests = await compare('login, then forgot-password', kinds, (email) =>
    post(forgotPassword.path, { email }),
  )
  expect(differing({ signIns, codes, resends, resetRequests })).toEqual([])
})

it('a wrong password does not reveal that a hash has an older pepper', async () => {
  const older = await accounts('USER', true)
  const { hash } = await passwords({ peppers: [OLD_PEPPER], concurrency: 1, queue: 1 })
  await sql.query('update users set password_hash = $1 where email = any($2)', [
    await hash(NEW_PASSWORD, 'nobody'),
    older,
  ])
  const send: Request = (email) => post(login.path, { email, password: WRONG_PASSWORD })
  const kinds = { unknown: newEmails(), 'older pepper': older }
  expect(differing({ signIns: await compare('login, older pepper', kinds, send) })).toEqual([])
})

it('a forgotten password and what follows it do not reveal whether the email is known', async () => {
  const kinds = await allKinds()
  const resetRequests = await compare('forgot-password', kinds, (email) =>
    post(forgotPassword.path, { email }),
  )
  const onDevices = await compare('forgot-password with a device cookie', kinds, (email) =>
    post(forgotPassword.path, { email }, 'guidon-device=forged'),
  )
  const resets = await compare('forgot-password, then reset-password', kinds, () =>
    post(resetPassword.path, resetWith(randomBytes(32).toString('base64url')).body),
  )
  expect(differing({ resetRequests, onDevices, resets })).toEqual([])
})

it('without a challenge, or with the one of another account, a code and a resend do not reveal whether the email is known', async () => {
  const kinds = await allKinds()
  const codes = await compare('verify-email without a challenge', kinds, (email) =>
    post(verifyEmail.path, { email, code: WRONG_CODE }, FORGED),
  )
  const signInCodes = await compare('verify-login without a challenge', kinds, (email) =>
    post(verifyLogin.path, { email, code: WRONG_CODE }, FORGED),
  )
  const resends = await compare('resend without a challenge', kinds, (email) =>
    post(resendVerificationCode.path, { email, verificationType: 'login' }, FORGED),
  )
  const own = (await post(login.path, await account())).cookies[0] ?? ''
  expect(own).toMatch(/challenge=./)
  const otherCodes = await compare('login to another account, then verify-login', kinds, (email) =>
    post(verifyLogin.path, { email, code: WRONG_CODE }, own),
  )
  const otherResends = await compare('login to another account, then resend', kinds, (email) =>
    post(resendVerificationCode.path, { email, verificationType: 'login' }, own),
  )
  expect(differing({ codes, signInCodes, resends, otherCodes, otherResends })).toEqual([])
})
