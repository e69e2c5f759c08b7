import { expect, it } from 'vitest'
import { DEMO_ACCOUNTS } from './demo-accounts.ts'
import { startSummary } from './start-summary.ts'

const urls = {
  portal: 'http://localhost:5173',
  api: ['http://127.0.0.1:3000'],
  mailbox: 'http://127.0.0.1:8025',
  smtp: 'smtp://127.0.0.1:2525',
  salesforce: 'http://127.0.0.1:8071',
  box: 'http://127.0.0.1:8072',
  database: 'postgres://127.0.0.1:5433/guidon',
  metrics: { api: [], workers: [] },
}

const summary = (missingTools: string[]) =>
  startSummary({ urls, accounts: DEMO_ACCOUNTS, missingTools })

it('the summary lists the addresses and the demo sign-ins', () => {
  expect(summary([])).toMatch(/^ {2}Portal +http:\/\/localhost:5173$/m)
  for (const { email, password } of DEMO_ACCOUNTS) {
    expect(summary([])).toMatch(new RegExp(`^ {2}[A-Z]+ +${email} +${password}$`, 'm'))
  }
  expect(summary([])).not.toContain('Missing')
})

it('the summary has one line about missing tools', () => {
  const lines = summary(['clamd', 'qpdf']).split('\n')
  expect(lines.filter((line) => /upload/.test(line))).toHaveLength(1)
  expect(lines.find((line) => line.startsWith('Missing: clamd, qpdf.'))).toContain('refused')
})
