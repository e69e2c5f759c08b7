import { setTimeout as delay } from 'node:timers/promises'
import { checkAuth, login, verifyLogin } from '@guidon/contract/auth'
import { requestContact } from '@guidon/contract/contact'
import { getIntake } from '@guidon/contract/intake'
import { expect, it } from 'vitest'
import { boot } from '../../support/boot.ts'
import { newBox } from '../../support/box.ts'
import { limitedConcurrency } from '../../support/concurrency.ts'
import { DASHBOARD } from '../../support/dashboard-reads.ts'
import { hashOf, newName, newPdf, send as upload } from '../../support/documents.ts'
import { mailbox } from '../../support/mailbox.ts'
import { NO_UPLOAD_QUOTA } from '../../support/no-upload-quota.ts'
import { newOrg } from '../../support/org.ts'
import { PASSWORD } from '../../support/outside/account.ts'
import { percentile } from '../../support/outside/statistics.ts'
import { openSession, prepareVeterans } from '../../support/prepared-veterans.ts'
import type { Veteran } from '../../support/prepared-veterans.ts'
import { UNSENT, waitUntilEmpty } from '../../support/wait-until-empty.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull, timeLimit } from '../size.ts'
import { crmDifferences } from './crm-equality.ts'

const HANG_SECONDS = smallOrFull(10, 300)
const VETERANS = smallOrFull(20, 500)
/** Each of the veterans asks for a call and for an email. */
const METHODS = ['Call', 'Email'] as const
const UPLOADS = smallOrFull(10, 200)
const SIGN_IN_PAUSE_MS = 1_000
const READ_PAUSE_MS = 100
const MAX_CODE_MS = timeLimit(5_000)
const MAX_SCREEN_MS = timeLimit(1_000)
const READS = [checkAuth, ...DASHBOARD, getIntake]

it('while the CRM and the file store hang, codes arrive and screens open, and afterwards everything is sent', async () => {
  const [org, box] = await Promise.all([newOrg(), newBox()])
  const testApp = await boot({
    environment: { ...org.environment, ...box.environment, ...NO_UPLOAD_QUOTA },
  })
  const veterans = await prepareVeterans(testApp, org, VETERANS)
  const clients = await limitedConcurrency(VETERANS, (n) => openSession(testApp, veterans[n]!))
  const clientOf = (number: number) => clients[number % VETERANS]!
  await Promise.all([org.fault({ mode: 'hang' }), box.fault({ mode: 'hang' })])

  const files = new Map<string, string>()
  const uploaded = await limitedConcurrency(UPLOADS, async (number) => {
    const file = { name: newName(), bytes: newPdf() }
    files.set(file.name, hashOf(file.bytes))
    return (await upload(clientOf(number), file)).status
  })
  const requested = await limitedConcurrency(VETERANS * METHODS.length, async (number) => {
    const method = METHODS[Math.floor(number / VETERANS)]!
    return (await clientOf(number).call(requestContact, { body: { method } })).status
  })
  expect(new Set([...uploaded, ...requested])).toEqual(new Set([201, 202]))
  await Promise.all([org.waitForHeldCall(), box.waitForHeldCall()])

  const codeMs: number[] = []
  const screenMs: number[] = []
  const failures: string[] = []
  const hangsUntil = performance.now() + HANG_SECONDS * 1000
  const repeat = async (pauseMs: number, task: (turn: number) => Promise<void>) => {
    for (let turn = 0; performance.now() < hangsUntil; turn += 1) {
      await task(turn).catch((error: unknown) => failures.push(String(error)))
      await delay(pauseMs)
    }
  }
  const signIn = async ({ email }: Veteran) => {
    const client = testApp.newClient()
    const nextCode = await mailbox.nextCode(email)
    const started = performance.now()
    await client.call(login, { body: { email, password: PASSWORD } })
    const code = await nextCode()
    codeMs.push(performance.now() - started)
    const { status } = await client.call(verifyLogin, { body: { email, code } })
    if (status !== 200) failures.push(`sign-in returned ${status}`)
  }
  const read = async (turn: number) => {
    const { method, path } = READS[turn % READS.length]!
    const started = performance.now()
    const { status } = await clientOf(turn).send(method, path)
    screenMs.push(performance.now() - started)
    if (status !== 200) failures.push(`${path} returned ${status}`)
  }
  await Promise.all([
    repeat(SIGN_IN_PAUSE_MS, (turn) => signIn(veterans[turn % VETERANS]!)),
    repeat(READ_PAUSE_MS, read),
  ])

  const waiting = (await testApp.admin.crm.status()).outbox.waiting
  await Promise.all([org.fault({ mode: 'none' }), box.fault({ mode: 'none' })])
  const releasedAt = performance.now()
  await waitUntilEmpty(testApp.sql, UNSENT, {
    timeout: smallOrFull(90_000, 600_000),
    interval: 500,
  })
  const drained = (performance.now() - releasedAt) / 1000
  const stored = await box.files()
  const damaged = [...files].filter(([name, hash]) => {
    const versions = stored.filter((file) => file.name === name).flatMap((file) => file.versions)
    return versions.length !== 1 || versions[0]!.sha256 !== hash
  })
  const wrong = await crmDifferences(testApp.sql, org)
  figures('the CRM and the file store hang', {
    seconds: HANG_SECONDS,
    'outbox entries waiting': waiting,
    uploads: UPLOADS,
    'codes requested': codeMs.length,
    'code p99 ms': Math.round(percentile(codeMs, 0.99)),
    'code max ms': Math.round(percentile(codeMs, 1)),
    'screens opened': screenMs.length,
    'screen p99 ms': Math.round(percentile(screenMs, 0.99)),
    'screen max ms': Math.round(percentile(screenMs, 1)),
    failures: failures.length,
    'seconds until all was sent': drained.toFixed(1),
    'files missing, duplicate or damaged': damaged.length,
    ...wrong,
  })
  headline.sum({
    failures: failures.length,
    'lost, doubled or damaged':
      damaged.length + Object.values(wrong).reduce((total, count) => total + count, 0),
  })
  headline.max({
    'code p99 ms': percentile(codeMs, 0.99),
    'screen p99 ms': percentile(screenMs, 0.99),
  })
  expect(failures).toEqual([])
  expect(percentile(codeMs, 0.99)).toBeLessThan(MAX_CODE_MS)
  expect(percentile(screenMs, 1)).toBeLessThan(MAX_SCREEN_MS)
  expect(damaged).toEqual([])
  expect(wrong).toEqual({ lost: 0, doubled: 0, 'out of order': 0 })
})
