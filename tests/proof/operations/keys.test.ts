import { randomBytes, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { checkAuth, login, refresh, verifyLogin } from '@guidon/contract/auth'
import { uploadDocument } from '@guidon/contract/documents'
import { getIntake, saveIntake } from '@guidon/contract/intake'
import { resetPassword } from '@guidon/contract/password'
import { expect, inject, it } from 'vitest'
import { boot } from '../../support/boot.ts'
import type { TestApp } from '../../support/boot.ts'
import { newBox } from '../../support/box.ts'
import { withCookies } from '../../support/concurrency.ts'
import { samplePdf } from '../../support/files/made-pdf.ts'
import { mailbox } from '../../support/mailbox.ts'
import { PASSWORD } from '../../support/outside/account.ts'
import { NEW_PASSWORD, resetTokenFor, resetWith } from '../../support/reset-link.ts'
import { figures, headline } from '../figures.ts'

/**
 * Keys are rotated while accounts have a session, a mailed code, a reset link, a known device, an intake draft and a
 * waiting upload.
 */

const box = await newBox()

const NAMES = ['TOKEN_KEY', 'PASSWORD_PEPPER', 'DATA_KEYS'] as const
type KeyOrder = 'old' | 'old,new' | 'new,old' | 'new'
const newKeys = Object.fromEntries(NAMES.map((name) => [name, randomBytes(32).toString('base64')]))

function environmentWith(order: KeyOrder): Record<string, string> {
  const keys = { old: inject('environment'), new: newKeys }
  const lists = NAMES.map((name) => [
    name,
    order
      .split(',')
      .map((which) => keys[which as 'old' | 'new'][name])
      .join(),
  ])
  return { ...box.environment, ...Object.fromEntries(lists) }
}

const bootWith = (order: KeyOrder, database?: string) =>
  boot({ environment: environmentWith(order), ...(database && { database }) })

const STREET = '12 Elm St'

/** Creates one of everything that depends on a key, each for its own account. */
async function createState(testApp: TestApp) {
  const signedIn = async () => {
    const account = await testApp.account()
    return { account, client: await testApp.signedIn(account) }
  }
  const inSession = await signedIn()
  const onDevice = await signedIn()

  const awaitsCode = await testApp.account()
  const challenged = testApp.newClient()
  await challenged.call(login, { body: awaitsCode })
  const code = await mailbox.codeFor(awaitsCode.email)

  const resetting = await testApp.account()
  const resetToken = await resetTokenFor(testApp.newClient(), resetting.email)

  const withDraft = await signedIn()
  await withDraft.client.call(saveIntake, { body: { street: STREET } })

  const uploader = await signedIn()
  const name = `${randomUUID()}.pdf`
  // The file store is unavailable until the keys have changed.
  await box.fault({ mode: '503' })
  const sent = await uploader.client.upload(
    uploadDocument,
    { name, bytes: samplePdf() },
    { fields: { documentType: 'Other' } },
  )
  expect(sent.status).toBe(201)
  return {
    inSession,
    onDevice,
    awaitsCode,
    challenged,
    code,
    resetting,
    resetToken,
    withDraft,
    name,
  }
}

type State = Awaited<ReturnType<typeof createState>>

/** Uses everything that `createState` created, and returns the results. */
async function tryState(testApp: TestApp, state: State) {
  const { inSession, onDevice, awaitsCode, challenged, code, resetToken, withDraft, name } = state
  const clientWithCookiesOf = (from: { cookies: ReadonlyMap<string, string> }) =>
    withCookies(testApp.newClient(), from.cookies)

  const session = clientWithCookiesOf(inSession.client)
  const check = await session.call(checkAuth, {})
  const renewed = await session.call(refresh, {})
  const checkAfter = await session.call(checkAuth, {})

  const verified = await clientWithCookiesOf(challenged).call(verifyLogin, {
    body: { email: awaitsCode.email, code },
  })
  const reset = await testApp.newClient().call(resetPassword, resetWith(resetToken))

  const returning = clientWithCookiesOf(onDevice.client)
  const [last] = await mailbox.mailsTo(onDevice.account.email, { waitMs: 0 })
  await returning.call(login, { body: onDevice.account })
  const nextCode = await mailbox.codeFor(onDevice.account.email, { after: last!.id })
  const signedInAgain = await returning.call(verifyLogin, {
    body: { email: onDevice.account.email, code: nextCode },
  })
  const { rows: newDevices } = await testApp.sql.query(
    `select from audit_events join users on users.id = subject_id
     where email = $1 and event = 'signed_in_on_new_device'`,
    [onDevice.account.email],
  )

  const intake = await clientWithCookiesOf(withDraft.client).call(getIntake, {})
  await box.fault({ mode: 'none' })
  await testApp.admin.files.sendAgain()
  const stored = await expect
    .poll(async () => (await box.files()).some((file) => file.name === name))
    .toBe(true)
    .then(() => true)

  return {
    session: [check.status, renewed.status, checkAfter.status],
    code: verified.status,
    link: reset.status,
    // Only the account's first sign-in was on a new device.
    device: [signedInAgain.status, newDevices.length],
    intake: intake.body.data?.street,
    upload: stored,
  }
}

const ALL_WORKING = {
  session: [200, 204, 200],
  code: 200,
  link: 204,
  device: [200, 1],
  intake: STREET,
  upload: true,
}

async function checkRotation(before: KeyOrder, after: KeyOrder): Promise<void> {
  const first = await bootWith(before)
  const state = await createState(first)
  await first.stopWorkers()
  const second = await bootWith(after, first.config.DATABASE_URL)
  const results = await tryState(second, state)
  await second.stopWorkers()
  const names = Object.keys(ALL_WORKING) as (keyof typeof ALL_WORKING)[]
  const working = names.filter((name) => isDeepStrictEqual(results[name], ALL_WORKING[name]))
  figures(`${before} → ${after}`, { kinds: names.length, working: working.length })
  headline.sum({ rotations: 1, 'uses tried': names.length, working: working.length })
  expect(results).toEqual(ALL_WORKING)
}

it.each<[KeyOrder, KeyOrder]>([
  ['old', 'new,old'],
  ['old', 'old,new'],
  ['old,new', 'new,old'],
  // During a rolling restart processes with both orders run.
  ['new,old', 'old,new'],
])('everything created with the keys %s still works with %s', checkRotation)

it('old keys can be removed once nothing needs them, and everything still works', async () => {
  const first = await bootWith('old')
  const url = first.config.DATABASE_URL
  const clientWithDraft = await first.signedIn(await first.account())
  await clientWithDraft.call(saveIntake, { body: { street: STREET } })
  const absent = await first.account()
  await first.stopWorkers()

  const second = await bootWith('new,old', url)
  const state = await createState(second)
  const older = async (testApp: TestApp) =>
    (await testApp.admin.keys.states())
      .filter(({ place }) => place === 'older')
      .map(({ variable, needed, mayGo }) => ({ variable, needed, mayGo }))
  expect(await older(second)).toEqual([
    {
      variable: 'TOKEN_KEY',
      needed: 'until 12 hours after a newer key became the first',
      mayGo: false,
    },
    { variable: 'PASSWORD_PEPPER', needed: '2 passwords', mayGo: false },
    { variable: 'DATA_KEYS', needed: '1 intakes, 0 upload_chunks', mayGo: false },
  ])
  const saved = await second.sql.query('select id, saved_at, revision from intakes order by id')
  expect(await second.admin.keys.reseal()).toEqual({ intakes: 1, upload_chunks: 0 })
  expect(await second.admin.keys.reseal()).toEqual({ intakes: 0, upload_chunks: 0 })
  const after = await second.sql.query('select id, saved_at, revision from intakes order by id')
  expect(after.rows).toEqual(saved.rows)
  await second.stopWorkers()

  const third = await bootWith('new', url)
  expect(await tryState(third, state)).toEqual(ALL_WORKING)
  const states = await third.admin.keys.states()
  expect(states.find(({ place }) => place === 'missing')).toMatchObject({
    variable: 'PASSWORD_PEPPER',
    needed: '2 passwords',
  })
  expect(states.filter(({ variable }) => variable === 'DATA_KEYS')).toHaveLength(1)
  // An account that has not signed in since needs a new password.
  const refused = await third.newClient().call(login, { body: absent })
  expect(refused.status).toBe(400)
  const token = await resetTokenFor(third.newClient(), absent.email)
  expect((await third.newClient().call(resetPassword, resetWith(token))).status).toBe(204)
  await third.signedIn(
    { email: absent.email, password: NEW_PASSWORD },
    { after: (await mailbox.mailsTo(absent.email))[0] },
  )
  const oldSession = withCookies(third.newClient(), clientWithDraft.cookies)
  expect((await oldSession.call(checkAuth, {})).status).toBe(401)
  await third.stopWorkers()
})

it('waiting uploads are encrypted again with the new key and stay the same, byte for byte', async () => {
  const first = await bootWith('old')
  const state = await createState(first)
  await first.stopWorkers()
  const second = await bootWith('new,old', first.config.DATABASE_URL)
  expect(await second.admin.keys.reseal()).toEqual({ intakes: 1, upload_chunks: 1 })
  const states = await second.admin.keys.states()
  expect(states.find((key) => key.variable === 'DATA_KEYS' && key.place === 'older')).toMatchObject(
    { needed: '0 intakes, 0 upload_chunks', mayGo: true },
  )
  await second.stopWorkers()
  const third = await boot({
    environment: { ...environmentWith('new,old'), DATA_KEYS: newKeys['DATA_KEYS']! },
    database: first.config.DATABASE_URL,
  })
  expect(await tryState(third, state)).toEqual(ALL_WORKING)
  await third.stopWorkers()
})

it('a correct password with an older pepper is hashed again once and stays valid', async () => {
  const first = await bootWith('old')
  const account = await first.account()
  await first.stopWorkers()
  const second = await bootWith('new,old', first.config.DATABASE_URL)
  const stored = async () => {
    const { rows } = await second.sql.query<{ hash: string }>(
      'select password_hash as hash from users where email = $1',
      [account.email],
    )
    return rows[0]!.hash
  }
  const before = await stored()
  await second.newClient().call(login, { body: { ...account, password: 'Wrong-Lantern-42!' } })
  expect(await stored()).toBe(before)
  await second.newClient().call(login, { body: account })
  const renewed = await stored()
  expect(renewed).not.toBe(before)
  await second.newClient().call(login, { body: { ...account, password: PASSWORD } })
  expect(await stored()).toBe(renewed)
  await second.stopWorkers()
})
