import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { getCaseVersion } from '@guidon/contract/case-activity'
import { getActivity } from '@guidon/contract/manage-users'
import { getProgressOf } from '@guidon/contract/todo'
import { freePort } from '@guidon/sandbox/free-port'
import type { Mail } from '@guidon/sandbox/mailbox/client'
import { expect, it, vi } from 'vitest'
import { sendNotice } from '../../../api/src/features/auth/send-notice.ts'
import { sendReceipt } from '../../../api/src/features/documents/store/send-receipt.ts'
import { sendIntakeReceived } from '../../../api/src/features/intake/send-received.ts'
import { sendReactivated } from '../../../api/src/features/manage-users/send-reactivated.ts'
import { startCollector } from '../../support/app-with-telemetry.ts'
import { DASHBOARD } from '../../support/dashboard-reads.ts'
import { dumpOf, columnsWith } from '../../support/found-in-database.ts'
import { mailbox } from '../../support/mailbox.ts'
import { PASSWORD } from '../../support/outside/account.ts'
import {
  bootWithVeteran,
  CLAIM,
  EMAIL,
  ENCRYPTED_VALUES,
  PLAIN_COLUMNS,
  PLAIN_VALUES,
  REQUESTED_DOCUMENT,
  WRONG_PASSWORD,
} from '../../support/veteran-with-data.ts'
import { figures, headline } from '../figures.ts'
import { callEveryEndpoint } from './planted-journeys.ts'

const collector = await startCollector()
const [apiPort, workerPort] = [await freePort(), await freePort()]
const { testApp, client, userId } = await bootWithVeteran({
  environment: {
    DOCUMENT_VIEWING: 'on',
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT: String(apiPort),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  },
  workerEnvironment: { METRICS_PORT: String(workerPort) },
})

/** Three of the sign-up, and one of each job below. */
const EMAILS = 9

/** The columns that may contain the value as plain text: none for encrypted values and secrets. */
const allowedFor = (value: string) =>
  (PLAIN_COLUMNS[value] ?? []).map((column) => `public.${column}`)

/** The page that names the unencrypted columns. */
const DATA_PAGE = resolve(import.meta.dirname, '../../../docs/security/data.md')

/** Those of the sign-up, and all others that an account gets. Those of `features/notices` have a test of their own. */
async function everyEmail() {
  await testApp.send(sendIntakeReceived, { userId })
  await testApp.send(sendReceipt, { userId })
  await testApp.send(sendReactivated, { userId })
  for (const notice of ['new-device', 'password-changed', 'temporary-password'] as const)
    await testApp.send(sendNotice, { userId, notice })
  return vi.waitUntil(
    async () => {
      const mails = await mailbox.mailsTo(EMAIL, { waitMs: 0 })
      const subjects = new Set(mails.map(({ subject }) => subject.replaceAll(/\d+/g, '')))
      return subjects.size >= EMAILS && { mails, subjects }
    },
    { timeout: 60_000 },
  )
}

/** Endpoints that need a sign-up, the password before its reset, or a file of another file store. */
const REFUSED_MAX = 4

/**
 * A shorter value can be part of a time, an id or a hash by chance: it counts only as a whole word, and is not searched
 * for in the database.
 */
const MIN_LENGTH = 8
const contains = (text: string, value: string) =>
  value.length < MIN_LENGTH
    ? new RegExp(`(?<![\\w.+/-])${value}(?![\\w+/-])`).test(text)
    : text.includes(value)

/** The address of the recipient is in `to`, and nowhere else. */
const textOf = ({ subject, text, html, headers, returnPath }: Mail) => {
  const { to: _, ...others } = headers
  return [subject, text, html, returnPath, ...Object.values(others)].join(' ')
}

const metricsAt = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

it('what a veteran has and sees is in no email, log, trace, metric, job, audit event or temporary file', async () => {
  const bodies: unknown[] = []
  for (const { method, path } of [...DASHBOARD, getCaseVersion]) {
    const { status, body } = await client.send(method, path)
    expect([path, status]).toEqual([path, 200])
    bodies.push(body)
  }
  const staff = await testApp.signedIn(await testApp.account('STAFF'))
  const progress = await staff.call(getProgressOf, { params: { id: userId } })
  const shown = JSON.stringify([bodies, progress.body])
  for (const text of [CLAIM.title, CLAIM.nextStep, REQUESTED_DOCUMENT.reason])
    expect(shown).toContain(text)

  const veteran = { email: EMAIL, password: PASSWORD, userId }
  const { statuses, secrets: tokens } = await callEveryEndpoint(testApp, veteran)
  const refused = Object.entries(statuses).filter(([, status]) => status >= 300)
  const { mails, subjects } = await everyEmail()
  await vi.waitUntil(() => collector.text.includes(getActivity.path), { timeout: 60_000 })

  const secrets = [PASSWORD, WRONG_PASSWORD, ...tokens]
  const values = [...PLAIN_VALUES, ...ENCRYPTED_VALUES]
  const places: Record<string, string> = {
    'the log': testApp.logged(),
    'the traces': collector.text,
    'the metrics of the API': await metricsAt(apiPort),
    'the metrics of the worker': await metricsAt(workerPort),
    ...Object.fromEntries(mails.map((mail) => [`the email "${mail.subject}"`, textOf(mail)])),
  }
  const dump = await dumpOf(testApp.sql)
  const leaks: string[] = []
  const usedColumns = new Set<string>()
  for (const value of [...values, ...secrets]) {
    const found = Object.entries(places).filter(([, text]) => contains(text, value))
    leaks.push(...found.map(([place]) => `${value} in ${place}`))
    if (value.length < MIN_LENGTH) continue
    const columns = columnsWith(dump, value)
    for (const column of columns) usedColumns.add(column)
    const allowed = allowedFor(value)
    const wrong = columns.filter((column) => !allowed.includes(column))
    leaks.push(...wrong.map((column) => `${value} in ${column}`))
  }
  const notPlanted = PLAIN_VALUES.filter((value) => columnsWith(dump, value).length === 0)
  const namedColumns = new Set(PLAIN_VALUES.flatMap(allowedFor))
  const files = readdirSync(testApp.config.UPLOAD_DIR, { recursive: true })
  figures('planted data', {
    values: values.length,
    secrets: secrets.length,
    reads: bodies.length + 1,
    endpoints: Object.keys(statuses).length,
    refused: refused.map((pair) => pair.join(' ')).join(', '),
    columns: dump.size,
    'columns with plain values': usedColumns.size,
    emails: mails.length,
    subjects: subjects.size,
    'characters of log, traces and metrics': Object.values(places).join('').length,
    'files in the temporary folder': files.length,
    leaks: leaks.length,
  })
  headline.sum({
    'values and secrets': values.length + secrets.length,
    columns: dump.size,
    emails: mails.length,
    leaks: leaks.length,
  })
  expect(leaks).toEqual([])
  expect(refused.filter(([, status]) => status === 500)).toEqual([])
  expect(refused.length).toBeLessThanOrEqual(REFUSED_MAX)
  expect(notPlanted).toEqual([])
  expect([...namedColumns].filter((column) => !usedColumns.has(column))).toEqual([])
  expect(files).toEqual([])
})

it('the page about data names every column that may contain plain values', () => {
  const page = readFileSync(DATA_PAGE, 'utf8')
  const columns = Object.values(PLAIN_COLUMNS).flat()
  expect(columns.filter((column) => !page.includes(`\`${column}\``))).toEqual([])
})
