import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { checkAuth } from '@guidon/contract/auth'
import { acceptConsents, getConsents, withdrawConsent } from '@guidon/contract/consents'
import { OPTIONAL_CONSENTS_A_DAY } from '@guidon/contract/limits'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import { afterFile } from '@guidon/tests/after-file'
import { boot, NEWCOMER } from '@guidon/tests/boot'
import { mailbox } from '@guidon/tests/mailbox'
import type { TestClient } from '@guidon/tests/test-client'
import { describe, expect, it } from 'vitest'

type TestApp = Awaited<ReturnType<typeof boot>>

const repositoryBrand = resolve(import.meta.dirname, '../../../../brand')

/** A brand folder whose files in `legal/` differ from those of the repository. */
function brandWith(files: Record<string, unknown>): { BRAND_DIR: string } {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-brand-'))
  afterFile(async () => rmSync(folder, { recursive: true }))
  cpSync(repositoryBrand, folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, 'legal', name), JSON.stringify(content))
  }
  return { BRAND_DIR: folder }
}

const terms = (version: string, text = 'I accept the Terms.') => ({
  terms: { version, title: 'Terms', text, changes: `New in ${version}.` },
  privacy: { version: '1', title: 'Privacy Policy', text: 'I have read the Privacy Policy.' },
  feedback: { version: '1', title: 'Questions', text: 'You may ask me.', optional: true },
})

const before = await boot({ environment: brandWith({ 'consents.json': terms('1') }) })
/** Another API on the same database, after the provider changed the terms. */
const after = await boot({
  database: before.config.DATABASE_URL,
  worker: false,
  environment: brandWith({ 'consents.json': terms('2', 'I accept the new Terms.') }),
})
const { sql } = before

const isAsked = async (client: TestClient) =>
  (await client.call(checkAuth, {})).body.user.consentsDue
const consentsOf = async (client: TestClient) => (await client.call(getConsents, {})).body
async function signIn(testApp: TestApp, email: string): Promise<TestClient> {
  const [last] = await mailbox.mailsTo(email, { waitMs: 0 })
  return testApp.signedIn({ email, password: NEWCOMER.password }, { after: last })
}

async function accept(client: TestClient, wanted: 'due' | 'optional') {
  const { [wanted]: asked } = await consentsOf(client)
  const accepted = asked.map(({ kind, hash }) => ({ kind, hash }))
  return client.call(acceptConsents, { body: { accepted } })
}

describe('a sign-up', () => {
  it('records kind, version, text and time of the terms and the privacy policy', async () => {
    const { client, userId } = await before.signedUp()
    const { given, due, optional } = await consentsOf(client)
    expect(due).toEqual([])
    expect(optional).toMatchObject([{ kind: 'feedback' }])
    expect(given.toSorted((one, other) => other.kind.localeCompare(one.kind))).toMatchObject([
      {
        kind: 'terms',
        version: '1',
        shown: 'Terms, version 1\nI accept the Terms.\nhttps://www.guidon.example/terms',
        withdrawnAt: null,
        replacedAt: null,
        mayWithdraw: false,
      },
      { kind: 'privacy', version: '1', title: 'Privacy Policy' },
    ])
    const { rows } = await sql.query(
      `select encode(text_hash, 'hex') = encode(sha256(convert_to(shown, 'utf8')), 'hex') as hashed,
         accepted_at between now() - interval '5 minutes' and now() as just_now
       from consents join consent_texts on hash = text_hash where user_id = $1`,
      [userId],
    )
    expect(rows).toEqual([
      { hashed: true, just_now: true },
      { hashed: true, just_now: true },
    ])
  })

  it('records the texts that were shown, and asks if they change before the code is entered', async () => {
    const email = 'between@example.com'
    const client = before.newClient()
    await client.call(register, { body: { ...NEWCOMER, email } })
    const late = after.newClient()
    for (const [name, value] of client.cookies) late.cookies.set(name, value)
    await late.call(verifyEmail, { body: { email, code: await mailbox.codeFor(email) } })
    expect((await consentsOf(late)).given.map(({ version }) => version)).toEqual(['1', '1'])
    expect(await isAsked(late)).toBe(true)
  })
})

describe('a sign-up on a page that was loaded before the texts changed', () => {
  const shownBy = async (page: TestApp) => {
    const { userId } = await page.signedUp()
    const { rows } = await sql.query<{ kind: string; hash: string }>(
      `select kind, encode(text_hash, 'hex') as hash from consents where user_id = $1`,
      [userId],
    )
    return rows
  }
  const signUpAt = async (server: TestApp, consents: { kind: string; hash: string }[]) => {
    const email = `${randomUUID()}@example.com`
    const client = server.newClient()
    expect((await client.call(register, { body: { ...NEWCOMER, email, consents } })).status).toBe(
      202,
    )
    await client.call(verifyEmail, { body: { email, code: await mailbox.codeFor(email) } })
    return client
  }

  it('is asked at once for the text that has changed, and only for that', async () => {
    const shown = await shownBy(before)
    expect(shown).toHaveLength(2)
    const current = await signUpAt(before, shown)
    expect(await isAsked(current)).toBe(false)
    const late = await signUpAt(after, shown)
    expect(await isAsked(late)).toBe(true)
    const { given, due } = await consentsOf(late)
    expect(given.map(({ kind }) => kind)).toEqual(['privacy'])
    expect(due).toMatchObject([{ kind: 'terms', version: '2' }])
    await accept(late, 'due')
    expect(await isAsked(late)).toBe(false)
  })

  it('is asked for all if all have changed', async () => {
    const shown = (await shownBy(before)).map(({ kind }) => ({ kind, hash: '0'.repeat(64) }))
    const late = await signUpAt(before, shown)
    expect(await isAsked(late)).toBe(true)
    const { given, due } = await consentsOf(late)
    expect(due).toMatchObject([{ kind: 'terms' }, { kind: 'privacy' }])
    expect(given).toEqual([])
  })
})

describe('a changed text', () => {
  it('is asked once, at the next sign-in', async () => {
    const { client: open, email } = await before.signedUp()
    expect(await isAsked(open)).toBe(false)

    const next = await signIn(after, email)
    expect(await isAsked(next)).toBe(true)
    const { due } = await consentsOf(next)
    expect(due).toMatchObject([
      {
        kind: 'terms',
        version: '2',
        title: 'Terms',
        text: 'I accept the new Terms.',
        url: 'https://www.guidon.example/terms',
        changes: 'New in 2.',
      },
    ])
    // The session from before the change is not interrupted.
    expect(await isAsked(open)).toBe(false)

    expect((await accept(next, 'due')).status).toBe(204)
    expect(await isAsked(next)).toBe(false)
    expect(await isAsked(await signIn(after, email))).toBe(false)
    const { given } = await consentsOf(next)
    expect(given.filter(({ kind }) => kind === 'terms')).toMatchObject([
      { version: '2', replacedAt: null },
      { version: '1', replacedAt: expect.any(String) },
    ])
  })

  it('stays asked until it is accepted', async () => {
    const { email } = await before.signedUp()
    expect(await isAsked(await signIn(after, email))).toBe(true)
    expect(await isAsked(await signIn(after, email))).toBe(true)
  })

  it('is accepted only as it is now', async () => {
    const { client, email } = await before.signedUp()
    const { optional } = await consentsOf(client)
    const next = await signIn(after, email)
    const accepted = [{ kind: 'terms', hash: optional[0]!.hash }]
    expect(await next.call(acceptConsents, { body: { accepted } })).toMatchObject({
      status: 409,
      body: { code: 'consent_changed' },
    })
    expect(await isAsked(next)).toBe(true)
  })

  it('is not asked any more once the provider has taken it back', async () => {
    const { email } = await before.signedUp()
    const next = await signIn(after, email)
    const session = before.newClient()
    for (const [name, value] of next.cookies) session.cookies.set(name, value)
    expect((await consentsOf(session)).due).toEqual([])
    expect(await isAsked(session)).toBe(false)
  })
})

it('an account that an operator created is not asked', async () => {
  const client = await before.signedIn(await before.account())
  expect(await isAsked(client)).toBe(false)
  expect(await consentsOf(client)).toMatchObject({ due: [], given: [] })
})

it('an optional consent can be given 20 times a day, a repeated request is no new one, and it can always be withdrawn', async () => {
  const { client, userId } = await before.signedUp()
  const accepted = (await consentsOf(client)).optional.map(({ kind, hash }) => ({ kind, hash }))
  const agree = () => client.call(acceptConsents, { body: { accepted } })
  const withdraw = async () =>
    (await client.call(withdrawConsent, { params: { kind: 'feedback' } })).status
  for (let count = 1; count < OPTIONAL_CONSENTS_A_DAY; count++) {
    await agree()
    await withdraw()
  }
  expect((await agree()).status).toBe(204)
  expect((await agree()).status).toBe(204)
  expect(await withdraw()).toBe(204)
  const refused = await agree()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
  const given = await sql.query(`select from consents where user_id = $1 and kind = 'feedback'`, [
    userId,
  ])
  expect(given.rowCount).toBe(OPTIONAL_CONSENTS_A_DAY)

  await sql.query(
    `update consents set accepted_at = accepted_at - interval '1 day' where user_id = $1`,
    [userId],
  )
  expect((await agree()).status).toBe(204)
})

it('an optional consent can be given and withdrawn, and a required one cannot be withdrawn', async () => {
  const { client, userId } = await before.signedUp()
  const accepted = (await consentsOf(client)).optional.map(({ kind, hash }) => ({ kind, hash }))
  await client.call(acceptConsents, { body: { accepted } })
  await client.call(acceptConsents, { body: { accepted } })
  expect((await consentsOf(client)).given[0]).toMatchObject({ kind: 'feedback', mayWithdraw: true })
  const withdraw = async (kind: string) =>
    (await client.call(withdrawConsent, { params: { kind } })).status
  expect(await withdraw('feedback')).toBe(204)
  const withdrawnAt = (await consentsOf(client)).given[0]?.withdrawnAt
  // The response to the first request may have been lost.
  expect(await withdraw('feedback')).toBe(204)
  expect(await withdraw('terms')).toBe(404)
  const { given, optional } = await consentsOf(client)
  expect(given[0]).toMatchObject({ withdrawnAt, mayWithdraw: false })
  expect(withdrawnAt).toEqual(expect.any(String))
  expect(optional).toHaveLength(1)
  const { rows } = await sql.query(
    `select event, details from audit_events
     where event like 'consent%' and actor_id = $1 and subject_id = $1 order by id`,
    [userId],
  )
  expect(rows).toEqual([
    { event: 'consents_accepted', details: { kinds: 'feedback' } },
    { event: 'consent_withdrawn', details: { kind: 'feedback' } },
  ])
})

describe('the rules of a state', async () => {
  const notice = { version: '4', text: 'Help is free.', mustAccept: true }
  const testApp = await boot({
    environment: brandWith({
      'states.json': { California: { notice }, Maine: { noSignUp: 'Not offered in Maine.' } },
    }),
  })

  it('refuse a sign-up where it is not offered, and say why', async () => {
    const body = { ...NEWCOMER, email: 'maine@example.com', state: 'Maine' as const }
    expect(await testApp.newClient().call(register, { body })).toMatchObject({
      status: 422,
      body: {
        code: 'sign_up_not_offered',
        message: 'Not offered in Maine.',
        fields: { state: 'Not offered in Maine.' },
      },
    })
  })

  it('record the notice that a veteran of the state accepted', async () => {
    const { client } = await testApp.signedUp()
    expect((await consentsOf(client)).given).toContainEqual(
      expect.objectContaining({
        kind: 'state-notice',
        version: '4',
        title: 'Notice for California',
      }),
    )
  })
})
