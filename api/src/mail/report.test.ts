import { expect, it } from 'vitest'
import { readReport } from './report.ts'

const report = (headers: string) => `${headers}
Content-Type: multipart/report; report-type=delivery-status; boundary=x

--x
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; someone@example.com
Action: failed
Status: 5.1.1

--x--
`

it('reads recipient, state and status', () => {
  expect(readReport(report('To: <bounces+1@example.org>'))).toEqual({
    to: ['bounces+1@example.org'],
    state: 'failed',
    status: '5.1.1',
  })
})

it('looks at the first addresses only, because anyone can write any number of them', () => {
  const { to } = readReport(report('To: <bounces+1@example.org>\n'.repeat(10_000).trim()))!
  expect(to).toHaveLength(20)
  const long = readReport(report(`To: ${'a@example.org, '.repeat(10_000)}`))!
  expect(long.to.length).toBeLessThan(100)
})
