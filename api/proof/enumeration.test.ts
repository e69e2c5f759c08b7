import { randomBytes, randomUUID } from 'node:crypto'
import { login, resendVerificationCode } from '@guidon/contract/auth'
import { forgotPassword, resetPassword } from '@guidon/contract/password'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import { afterAll, expect, inject, it } from 'vitest'
import { passwords } from '../src/passwords/passwords.ts'
import { boot, NEWCOMER } from '../test/boot.ts'
import { auc, aucTolerance } from './auc.ts'
import { moveClock } from './concurrency.ts'
import { timedClient } from './timed-client.ts'
import type { TimedResponse } from './timed-client.ts'
import { NEW_PASSWORD, resetWith } from './reset-link.ts'
import { figures, size } from './size.ts'

const OLD_PEPPER = randomBytes(32)
// Without a worker: it shares this process, and mails only to those who exist.
const { account, base, config, sql } = await boot({
  worker: false,
  environment: {
    PASSWORD_PEPPER: [
      inject('environment')['PASSWORD_PEPPER'],
      OLD_PEPPER.toString('base64'),
    ].join(),
  },
})
const { post, close } = timedClient(base, config.PUBLIC_URL)
afterAll(close)

const SAMPLES = size(4, 1_000)
const WARM_UP = size(1, 50)
const PROMISED = 0.05
/** With few samples chance alone moves the figure further than what is promised. */
const bound = Math.max(PROMISED, aucTolerance(SAMPLES, 3.8))

const newEmails = () =>
  Array.from({ length: SAMPLES + WARM_UP }, () => `${randomUUID()}@example.com`)

/** Copies of one account under new emails: a hash for each would take minutes. */
async function accounts(role: 'USER' | 'STAFF', isActive: boolean): Promise<string[]> {
  const { email } = await account(role)
  const emails = newEmails()
  await sql.query(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role, is_active,
       email_verified_at)
     select given, password_hash, first_name, last_name, phone, state, role, $3, now()
     from users, unnest($2::text[]) as given where email = $1`,
    [email, emails, isActive],
  )
  return emails
}

async function unverified(): Promise<string[]> {
  const { email } = await account()
  const emails = newEmails()
  await sql.query(
    `with typed as (
       insert into sign_ups (email, password_hash, first_name, last_name, phone, state, terms_version)
       select given, password_hash, first_name, last_name, phone, state, '1'
       from users, unnest($2::text[]) as given where email = $1 returning id)
     insert into challenges (token_hash, sign_up_id, purpose, expires_at)
     select sha256(id::text::bytea), id, 'email', now() + interval '30 minutes' from typed`,
    [email, emails],
  )
  return emails
}

type Kinds = Record<string, readonly string[]>

/** An email of each kind for every sample of one test, so that no limit is met. */
async function allKinds(): Promise<Kinds> {
  const kinds = {
    unknown: newEmails(),
    unverified: await unverified(),
    active: await accounts('USER', true),
    deactivated: await accounts('USER', false),
    staff: await accounts('STAFF', true),
  }
  await sql.query('analyze users, sign_ups, challenges')
  return kinds
}

type Ask = (email: string) => Promise<TimedResponse>

/** Asks the same of every kind, in turns and in random order, and holds each against the unknown emails. */
async function compare(title: string, kinds: Kinds, ask: Ask) {
  const names = Object.keys(kinds)
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]]))
  const shapes = new Set<string>()
  for (let index = 0; index < SAMPLES + WARM_UP; index += 1) {
    const order = names.map((name) => ({ name, at: Math.random() })).toSorted((a, b) => a.at - b.at)
    for (const { name } of order) {
      const { ms, shape } = await ask(kinds[name]![index]!)
      shapes.add(shape)
      if (index >= WARM_UP) times[name]!.push(ms)
    }
  }
  const told = names
    .filter((name) => name !== 'unknown')
    .map((name) => ({ name, auc: auc(times[name]!, times['unknown']!) }))
  figures(title, {
    'samples of each': SAMPLES,
    'different answers': shapes.size - 1,
    'allowed 0.5 ±': bound.toFixed(3),
    ...Object.fromEntries(told.map(({ name, auc: of }) => [`AUC ${name}`, of.toFixed(3)])),
  })
  const toldApart = told.filter((each) => Math.abs(each.auc - 0.5) > bound)
  return { answers: [...shapes], toldApart: toldApart.map(({ name }) => name) }
}

const ALIKE = { answers: [expect.any(String)], toldApart: [] }
const WRONG = 'Wrong-Lantern-42!'

/** Signs up with every email; answers how to go on with the cookie that each got. */
async function signUps(kinds: Kinds) {
  const challenges = new Map<string, string>()
  const registered = await compare('register', kinds, async (email) => {
    const answer = await post(register.path, { ...NEWCOMER, password: NEW_PASSWORD, email })
    challenges.set(email, answer.cookies[0]?.match(/^[^;]+/)?.[0] ?? '')
    return answer
  })
  // As the worker would have it: of a decoy there is an expiry, but no hash.
  await sql.query(
    `update challenges set code_expires_at = now() + interval '10 minutes',
       code_hash = case when decoy then null else sha256(id::text::bytea) end`,
  )
  return { registered, challengeOf: (email: string) => challenges.get(email) }
}

it('a sign-up, and a wrong code or another code for it, tell nothing of the email', async () => {
  const kinds = await allKinds()
  const { registered, challengeOf } = await signUps(kinds)
  const wrongCodes = await compare('register, then verify-email', kinds, (email) =>
    post(verifyEmail.path, { email, code: '000000' }, challengeOf(email)),
  )
  await moveClock(sql, 1)
  const resends = await compare('register, then resend-verification-code', kinds, (email) =>
    post(resendVerificationCode.path, { email, verificationType: 'email' }, challengeOf(email)),
  )
  const results = { registered, wrongCodes, resends }
  expect(results).toEqual({ registered: ALIKE, wrongCodes: ALIKE, resends: ALIKE })
})

it('a sign-in with the password of one’s own sign-up tells nothing of the email', async () => {
  const kinds = await allKinds()
  const { registered } = await signUps(kinds)
  const signIns = await compare('register, then login', kinds, (email) =>
    post(login.path, { email, password: NEW_PASSWORD }),
  )
  expect({ registered, signIns }).toEqual({ registered: ALIKE, signIns: ALIKE })
})

it('a wrong password tells nothing of the email', async () => {
  const ask: Ask = (email) => post(login.path, { email, password: WRONG })
  expect(await compare('login', await allKinds(), ask)).toEqual(ALIKE)
})

it('nor does it tell that the hash of an account has an older pepper', async () => {
  const older = await accounts('USER', true)
  const { hash } = await passwords({ peppers: [OLD_PEPPER], concurrency: 1, queue: 1 })
  await sql.query('update users set password_hash = $1 where email = any($2)', [
    await hash(NEW_PASSWORD, 'nobody'),
    older,
  ])
  const ask: Ask = (email) => post(login.path, { email, password: WRONG })
  const kinds = { unknown: newEmails(), 'older pepper': older }
  expect(await compare('login, older pepper', kinds, ask)).toEqual(ALIKE)
})

it('a forgotten password, and a wrong link after it, tell nothing of the email', async () => {
  const kinds = await allKinds()
  const forgots = await compare('forgot-password', kinds, (email) =>
    post(forgotPassword.path, { email }),
  )
  const onDevices = await compare('forgot-password with a device cookie', kinds, (email) =>
    post(forgotPassword.path, { email }, 'guidon-device=forged'),
  )
  const resets = await compare('forgot-password, then reset-password', kinds, () =>
    post(resetPassword.path, resetWith(randomBytes(32).toString('base64url')).body),
  )
  const results = { forgots, onDevices, resets }
  expect(results).toEqual({ forgots: ALIKE, onDevices: ALIKE, resets: ALIKE })
})

it('without a challenge neither a code nor another code tells anything of the email', async () => {
  const kinds = await allKinds()
  const codes = await compare('verify-email without a challenge', kinds, (email) =>
    post(verifyEmail.path, { email, code: '000000' }, 'guidon-challenge=forged'),
  )
  const resends = await compare('resend without a challenge', kinds, (email) =>
    post(resendVerificationCode.path, { email, verificationType: 'login' }, 'guidon-challenge=f'),
  )
  expect({ codes, resends }).toEqual({ codes: ALIKE, resends: ALIKE })
})
