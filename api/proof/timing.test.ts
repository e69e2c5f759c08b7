import { randomBytes, randomUUID } from 'node:crypto'
import { login, resendVerificationCode } from '@guidon/contract/auth'
import { forgotPassword } from '@guidon/contract/password'
import { register } from '@guidon/contract/sign-up'
import { afterAll, expect, inject, it } from 'vitest'
import { passwords } from '../src/features/auth/passwords.ts'
import { boot } from '../test/boot.ts'
import { auc, aucNoise } from './auc.ts'
import { timePasses } from './crowd.ts'
import { exchanger } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { NEW_PASSWORD } from './reset-link.ts'
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
const { post, close } = exchanger(base, config.PUBLIC_URL)
afterAll(close)

const PAIRS = size(40, 1_000)
const WARM_UP = size(5, 50)
const PROMISED = 0.05
/** With few pairs chance alone moves the figure further than what is promised. */
const bound = Math.max(PROMISED, aucNoise(PAIRS, 3.8))

const newEmail = () => `${randomUUID()}@example.com`

/** Verified accounts, each used by one pair of one route, so that no limit is met. */
async function knownEmails(count: number): Promise<string[]> {
  const { email } = await account()
  const emails = Array.from({ length: count }, newEmail)
  await sql.query(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role, email_verified_at)
     select given, password_hash, first_name, last_name, phone, state, role, now()
     from users, unnest($2::text[]) as given where email = $1`,
    [email, emails],
  )
  await sql.query('analyze users')
  return emails
}

type Ask = (email: string) => Promise<Exchange>

async function comparePairs(title: string, pairs: readonly [string, string][], ask: Ask) {
  const times = { known: [] as number[], unknown: [] as number[] }
  const shapes = new Set<string>()
  for (const [index, [known, unknown]] of pairs.entries()) {
    const both = [
      ['known', known],
      ['unknown', unknown],
    ] as const
    for (const [kind, email] of Math.random() < 0.5 ? both : both.toReversed()) {
      const { ms, shape } = await ask(email)
      shapes.add(shape)
      if (index >= WARM_UP) times[kind].push(ms)
    }
  }
  const told = auc(times.known, times.unknown)
  const middle = (sorted: number[]) =>
    sorted.toSorted((a, b) => a - b)[sorted.length >> 1]!.toFixed(2)
  figures(title, {
    pairs: times.known.length,
    'different answers': shapes.size - 1,
    AUC: told.toFixed(3),
    'allowed 0.5 ±': bound.toFixed(3),
    'median ms known': middle(times.known),
    unknown: middle(times.unknown),
  })
  return { answers: [...shapes], toldApart: Math.abs(told - 0.5) > bound }
}

async function pairsOfEmails(): Promise<[string, string][]> {
  return (await knownEmails(PAIRS + WARM_UP)).map((email) => [email, newEmail()])
}

const ALIKE = { answers: [expect.any(String)], toldApart: false }

const person = {
  password: NEW_PASSWORD,
  firstName: 'Maria',
  lastName: 'Delgado',
  phone: '6195550177',
  state: 'Texas',
}

it('neither a sign-up nor its next code tells whether the email is taken', async () => {
  const challenges = new Map<string, string>()
  const pairs = await pairsOfEmails()
  const signUps = await comparePairs('register', pairs, async (email) => {
    const answer = await post(register.path, { ...person, email })
    challenges.set(email, answer.cookies[0]?.match(/^[^;]+/)?.[0] ?? '')
    return answer
  })
  await timePasses(sql, 1)
  const resends = await comparePairs('resend-verification-code', pairs, (email) =>
    post(resendVerificationCode.path, { email, verificationType: 'email' }, challenges.get(email)),
  )
  expect({ signUps, resends }).toEqual({ signUps: ALIKE, resends: ALIKE })
})

it('a wrong password does not tell whether its email is known', async () => {
  const ask: Ask = (email) => post(login.path, { email, password: 'Wrong-Lantern-42!' })
  expect(await comparePairs('login', await pairsOfEmails(), ask)).toEqual(ALIKE)
})

it('nor does it tell that the hash of a known one has an older pepper', async () => {
  const pairs = await pairsOfEmails()
  const { hash } = await passwords({ peppers: [OLD_PEPPER], concurrency: 1, queue: 1 })
  await sql.query('update users set password_hash = $1 where email = any($2)', [
    await hash('Harbor-Lantern-42!', 'test'),
    pairs.map(([known]) => known),
  ])
  const ask: Ask = (email) => post(login.path, { email, password: 'Wrong-Lantern-42!' })
  expect(await comparePairs('login, older pepper', pairs, ask)).toEqual(ALIKE)
})

it('a forgotten password does not tell whether its email is known', async () => {
  const ask: Ask = (email) => post(forgotPassword.path, { email })
  expect(await comparePairs('forgot-password', await pairsOfEmails(), ask)).toEqual(ALIKE)
})
