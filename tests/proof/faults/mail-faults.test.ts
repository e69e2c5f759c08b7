import { checkAuth, refresh } from '@guidon/contract/auth'
import { getUserInfo } from '@guidon/contract/profile'
import { expect, it, vi } from 'vitest'
import { afterFile } from '../../support/after-file.ts'
import { boot } from '../../support/boot.ts'
import { limitedConcurrency } from '../../support/concurrency.ts'
import { newMailbox } from '../../support/mailbox.ts'
import { startTcpProxy } from '../../support/outside/tcp-proxy.ts'
import { startSmtpProxy } from '../../support/smtp-proxy.ts'
import type { SmtpFault } from '../../support/smtp-proxy.ts'
import type { TestClient } from '../../support/test-client.ts'
import { waitUntilEmpty } from '../../support/wait-until-empty.ts'
import { figures, headline } from '../figures.ts'
import { fullSizeOnly, smallOrFull, timeLimit } from '../size.ts'
import { IS_MAIL_JOB, mailRequests } from './mail-requests.ts'
import { responseTimes } from './response-times.ts'

interface Fault {
  name: string
  /** Absent: connections are refused. */
  smtp?: SmtpFault
  /** Every email is sent while the fault lasts. */
  isBearable?: true
}

const reply = (text: string) => ({ reply: text })
const SMALL_SIZE_FAULTS: readonly Fault[] = [
  { name: 'silent instead of a greeting', smtp: { at: 'greeting', effect: 'hang' } },
  { name: 'cut after the end of the email', smtp: { at: 'end', effect: 'cut' } },
  { name: '535 to the password', smtp: { at: 'AUTH', effect: reply('535 5.7.8 wrong password') } },
]
const FULL_SIZE_ONLY_FAULTS: readonly Fault[] = [
  { name: 'connection refused' },
  { name: '421 greeting', smtp: { at: 'greeting', effect: reply('421 4.3.2 not available') } },
  { name: '554 greeting', smtp: { at: 'greeting', effect: reply('554 5.3.2 no service') } },
  { name: '450 to the rate', smtp: { at: 'RCPT', effect: reply('450 4.7.1 too many emails') } },
  { name: '550 to our access', smtp: { at: 'RCPT', effect: reply('550 5.7.1 relaying denied') } },
  { name: 'cut before the greeting', smtp: { at: 'greeting', effect: 'cut' } },
  { name: 'cut at the recipient', smtp: { at: 'RCPT', effect: 'cut' } },
  { name: 'cut within the email', smtp: { at: 'text', effect: 'cut' } },
  { name: 'half of the greeting', smtp: { at: 'greeting', effect: 'half' } },
  { name: 'half of the last reply', smtp: { at: 'end', effect: 'half' } },
  { name: 'silent within the email', smtp: { at: 'text', effect: 'hang' } },
  { name: 'silent after the end of the email', smtp: { at: 'end', effect: 'hang' } },
  { name: 'slow', smtp: { at: 'greeting', effect: { msPerByte: 15 } }, isBearable: true },
  { name: 'a byte every 2 seconds', smtp: { at: 'RCPT', effect: { msPerByte: 2_000 } } },
]

const MAX_RESPONSE_MS = timeLimit(9_000)
const PER_KIND = smallOrFull(1, 4)
const WAIT = { timeout: smallOrFull(90_000, 300_000), interval: 200 }

const mailbox = await newMailbox()
const smtp = await startSmtpProxy(Number(new URL(mailbox.environment.SMTP_URL).port))
const relay = await startTcpProxy(smtp.port)
afterFile(relay.down)
const testApp = await boot({
  environment: { SMTP_URL: `smtp://portal:for-development-only@127.0.0.1:${relay.port}` },
})
const { sql } = testApp

async function begin({ smtp: fault }: Fault): Promise<void> {
  smtp.begin(fault)
  if (!fault) await relay.down()
}
const end = ({ smtp: fault }: Fault) => (fault ? smtp.end() : relay.up())

const mailJobs = async () => {
  const { rows } = await sql.query<{ unfinished: number; unaffected: number; failed: number }>(
    `select count(*) filter (where state < 'completed')::int as unfinished,
       count(*) filter (where state <> 'retry' and retry_count = 0)::int as unaffected,
       count(*) filter (where state = 'failed')::int as failed
     from pgboss.job where ${IS_MAIL_JOB}`,
  )
  return rows[0]!
}

const waitUntilAllSent = () => vi.waitUntil(async () => (await mailJobs()).unfinished === 0, WAIT)

/** The notices about sign-ins and new passwords, which would disturb the next fault. */
const waitForNotices = () =>
  waitUntilEmpty(
    sql,
    `select from pgboss.job where name = 'auth.send-notice' and state < 'completed'`,
    WAIT,
  )

async function checkFault(fault: Fault): Promise<void> {
  const { timed, ...responses } = responseTimes()
  const { signUp, signIn, forgot, isAccepted } = mailRequests(testApp, mailbox, timed)
  const signedIn = await testApp.withSession(await testApp.account())
  const reads = [checkAuth, getUserInfo] as const
  const statuses: number[] = []
  const read = async (client: TestClient) => {
    for (const endpoint of reads) {
      statuses.push((await timed(() => client.call(endpoint, {}))).status)
    }
  }
  await sql.query(`delete from pgboss.job where ${IS_MAIL_JOB}`)

  await begin(fault)
  const requested = await limitedConcurrency(PER_KIND * 3, (index) =>
    [signUp, signIn, forgot][index % 3]!(),
  )
  await vi.waitUntil(async () => {
    await read(signedIn)
    const { unfinished, unaffected } = await mailJobs()
    return fault.isBearable ? unfinished === 0 : unaffected === 0
  }, WAIT)
  // A long wait outlasts the access token.
  const refreshed = await timed(() => signedIn.call(refresh, {}))
  await end(fault)
  const began = performance.now()
  await waitUntilAllSent()
  const seconds = (performance.now() - began) / 1000
  await read(signedIn)

  const { failed } = await mailJobs()
  const arrived = await Promise.all(
    requested.map(({ email }) => mailbox.mailsTo(email, { waitMs: 0 })),
  )
  const copies = arrived.flat().length
  const distinct = new Set(arrived.flat().map(({ messageId, text }) => messageId + text)).size
  const usable = await limitedConcurrency(requested.length, (index) =>
    isAccepted(requested[index]!),
  )
  await waitForNotices()
  figures(`relay: ${fault.name}`, {
    ...(fault.smtp && { 'conversations affected': smtp.affected() }),
    responses: responses.count(),
    'slowest response ms': Math.round(responses.slowestMs()),
    'sign-outs': responses.signOuts(),
    'emails acknowledged': requested.length,
    arrived: distinct,
    'repeated because the reply was lost': smtp.lostReplies(),
    'repeated without this reason': copies - distinct - smtp.lostReplies(),
    'codes and links that work': usable.filter(Boolean).length,
    'seconds until all had arrived': seconds.toFixed(1),
  })
  headline.sum({
    faults: 1,
    emails: requested.length,
    usable: usable.filter(Boolean).length,
  })
  headline.max({ 'slowest response ms': Math.round(responses.slowestMs()) })
  expect(refreshed.status).toBe(204)
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect({
    failed,
    recipients: arrived.filter((mails) => mails.length > 0).length,
    distinct,
    copies,
    usable: usable.filter(Boolean).length,
  }).toEqual({
    failed: 0,
    recipients: requested.length,
    distinct: requested.length,
    copies: requested.length + smtp.lostReplies(),
    usable: requested.length,
  })
  expect(responses.slowestMs()).toBeLessThan(MAX_RESPONSE_MS)
}

it.each(SMALL_SIZE_FAULTS)(
  'people get a response while the relay has the fault "$name", and every email arrives afterwards',
  checkFault,
)
it.each(FULL_SIZE_ONLY_FAULTS)(
  'people get a response while the relay has the fault "$name", and every email arrives afterwards',
  fullSizeOnly,
  checkFault,
)
