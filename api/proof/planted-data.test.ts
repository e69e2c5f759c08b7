import { getCaseVersion } from '@guidon/contract/case-activity'
import { getProgressOf } from '@guidon/contract/todo'
import { expect, it } from 'vitest'
import { foundInDatabase } from '../test/found-in-database.ts'
import {
  bootWithVeteran,
  CLAIM,
  ENCRYPTED_VALUES,
  PLAIN_VALUES,
  REQUESTED_DOCUMENT,
} from '../test/veteran-with-data.ts'
import { DASHBOARD } from './dashboard-reads.ts'
import { figures } from './size.ts'

const { testApp, client, userId } = await bootWithVeteran()

/** Tables that must contain no personal data: jobs, the audit log and its counters. */
const WITHOUT_PERSONAL_DATA = /^(pgboss\.|public\.(audit|blocked)_)/

it('what a veteran sees on Home and staff see of it is in no log, job or audit event', async () => {
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
  for (const value of values) {
    if (testApp.logged().includes(value)) leaks.push(`${value} in the log`)
    const columns = await foundInDatabase(testApp.sql, value)
    leaks.push(...columns.filter((column) => WITHOUT_PERSONAL_DATA.test(column)))
  }
  figures('planted data', { values: values.length, reads: bodies.length + 1, leaks: leaks.length })
  expect(leaks).toEqual([])
})
