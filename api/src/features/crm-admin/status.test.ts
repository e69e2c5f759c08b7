import { boot } from '@guidon/tests/boot'
import { newOrg } from '@guidon/tests/org'
import { expect, it } from 'vitest'
import { crmCommands } from './commands.ts'

const org = await newOrg()
const testApp = await boot({
  worker: false,
  environment: { ...org.environment, CRM_CHECK_SECONDS: '1', CRM_POLL_SECONDS: '1' },
})
const { sql, admin } = testApp

async function printed(): Promise<string> {
  const lines: string[] = []
  await crmCommands['crm status']!.run(admin, {
    options: {},
    input: async () => '',
    ask: async () => '',
    path: (typed) => typed,
    print: (line) => void lines.push(line),
    table: (rows) => void lines.push(JSON.stringify(rows)),
  })
  return lines.join('\n')
}

it('shows the calls of today and yesterday by purpose, which add up to those that the org counts', async () => {
  await sql.query(`insert into crm_calls (day, purpose, calls)
    values (current_date - 2, 'send', 5), (current_date - 1, 'send', 7)`)
  await testApp.startWorker()
  const { userId } = await testApp.signedUp()
  await org.rows('Contact', { Portal_User_Id__c: userId })
  await testApp.stopWorkers()
  const { calls } = await admin.crm.status()
  expect(calls.reduce((sum, { today }) => sum + today, 0)).toBe((await org.stats()).used)
  expect(calls).toContainEqual({ purpose: 'check', today: 8, yesterday: 0 })
  expect(calls.find(({ purpose }) => purpose === 'send')).toMatchObject({ yesterday: 7 })
  expect(await printed()).toContain('"purpose":"check","today":8,"yesterday":0')
})

it('shows what the org lacks, since when, and what to do', async () => {
  await sql.query(`insert into crm_check as last (state, problems, missing, since)
    values ('stopped', '{there is no object Intake__c (intake)}', '{}', '2026-03-01T10:00:00Z')
    on conflict (only_row) do update set state = excluded.state, problems = excluded.problems,
      since = excluded.since`)
  const text = await printed()
  expect(text).toContain('STOPPED since 2026-03-01T10:00:00.000Z')
  expect(text).toContain('- there is no object Intake__c (intake)')
  expect(text).toContain('Deploy the source in salesforce/')
})

it('shows which optional fields are left out', async () => {
  await sql.query(`update crm_check set state = 'fits', problems = '{}',
    missing = '{there is no object Claim__c (claim)}'`)
  const text = await printed()
  expect(text).not.toContain('STOPPED')
  expect(text).toContain('Left out, because the CRM lacks it')
  expect(text).toContain('- there is no object Claim__c (claim)')
})
