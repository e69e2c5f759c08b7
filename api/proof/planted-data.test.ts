import { getCaseVersion } from '@guidon/contract/case-activity'
import { getProgressOf } from '@guidon/contract/todo'
import { expect, it, vi } from 'vitest'
import { sendNotice } from '../src/features/auth/send-notice.ts'
import { sendReceipt } from '../src/features/documents/send-receipt.ts'
import { sendIntakeReceived } from '../src/features/intake/send-received.ts'
import { sendReactivated } from '../src/features/manage-users/send-reactivated.ts'
import { foundInDatabase } from '../test/found-in-database.ts'
import { mailbox } from '../test/mailbox.ts'
import {
  bootWithVeteran,
  CLAIM,
  EMAIL,
  ENCRYPTED_VALUES,
  PLAIN_VALUES,
  REQUESTED_DOCUMENT,
} from '../test/veteran-with-data.ts'
import { DASHBOARD } from './dashboard-reads.ts'
import { figures } from './size.ts'

const { testApp, client, userId } = await bootWithVeteran()

/** Three of the sign-up, and one of each job below. */
const EMAILS = 9

/** Tables that must contain no personal data: jobs, the audit log and its counters. */
const WITHOUT_PERSONAL_DATA = /^(pgboss\.|public\.(audit|blocked)_)/

/** Those of the sign-up, and all others that an account gets. Its notices have a test of their own. */
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
    { timeout: 20_000 },
  )
}

it('what a veteran sees on Home and staff see of it is in no email, log, job or audit event', async () => {
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

  const values = [...PLAIN_VALUES, ...ENCRYPTED_VALUES]
  const leaks: string[] = []
  const { mails, subjects } = await everyEmail()
  for (const { subject, text, html } of mails) {
    const found = values.filter((value) => [subject, text, html].join(' ').includes(value))
    leaks.push(...found.map((value) => `${value} in the email "${subject}"`))
  }
  for (const value of values) {
    if (testApp.logged().includes(value)) leaks.push(`${value} in the log`)
    const columns = await foundInDatabase(testApp.sql, value)
    leaks.push(...columns.filter((column) => WITHOUT_PERSONAL_DATA.test(column)))
  }
  figures('planted data', {
    values: values.length,
    reads: bodies.length + 1,
    emails: mails.length,
    subjects: subjects.size,
    leaks: leaks.length,
  })
  expect(leaks).toEqual([])
})
