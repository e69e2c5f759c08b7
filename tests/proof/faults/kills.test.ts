import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import type { StackProcess } from '@guidon/sandbox/stack/stack-process'
import { expect, it, vi } from 'vitest'
import { connected } from '../../support/databases.ts'
import { figures, headline } from '../figures.ts'
import { fullSizeOnly, smallOrFull } from '../size.ts'
import { outcomeOf } from './failover-outcome.ts'
import { SIGNED_IN_ACCOUNTS } from './failover-traffic.ts'
import { startSupervisedProduct } from './supervised-product.ts'

const KILLS = {
  api: smallOrFull(1, 100),
  worker: smallOrFull(1, 100),
  PostgreSQL: smallOrFull(1, 30),
}
const LIMIT_SECONDS = 10
/** An account gets at most six codes in 15 minutes, so the sign-ins need many accounts. */
const ACCOUNTS = SIGNED_IN_ACCOUNTS + smallOrFull(10, 300)
/** Acknowledged before the next kill. */
const WRITES_TO_WAIT_FOR = 5
const SIGN_IN_TIMEOUT_MS = 120_000

const seconds = (ms: number) => Math.round(ms / 100) / 10

/**
 * Counts the emails to these accounts by kind. `doubled` lists where an account got more codes than it requested, or
 * more notices than it has sessions. A copy has the Message-ID of another email: one is sent only if the worker or
 * PostgreSQL is killed between the relay's reply and its record, see docs/decisions/0003.
 */
async function countEmails(emails: readonly string[], mailboxUrl: string, databaseUrl: string) {
  const mailbox = new MailboxClient(mailboxUrl)
  const sql = await connected(databaseUrl)
  const { rows } = await sql.query<{ email: string; codes: number; sessions: number }>(
    `select email,
       (select coalesce(sum(sends), 0)::int from challenges where user_id = users.id) as codes,
       (select count(*)::int from sessions where user_id = users.id) as sessions
     from users where email = any($1)`,
    [emails],
  )
  await sql.end()
  const counted = { codes: 0, notices: 0, copies: 0, doubled: [] as string[] }
  for (const { email, codes, sessions } of rows) {
    const mails = await mailbox.mailsTo(email, { waitMs: 0 })
    const distinct = new Map(mails.map((mail) => [mail.messageId, mail]))
    const withCode = [...distinct.values()].filter(({ subject }) => subject.includes(' code'))
    const notices = [...distinct.values()].filter(({ subject }) =>
      subject.startsWith('New sign-in'),
    )
    counted.codes += withCode.length
    counted.notices += notices.length
    counted.copies += mails.length - distinct.size
    if (withCode.length > codes) counted.doubled.push(`${withCode.length} codes for ${codes}`)
    if (notices.length > sessions)
      counted.doubled.push(`${notices.length} notices for ${sessions} sessions`)
  }
  return counted
}

it(
  'no acknowledged write is lost or doubled when API, worker or PostgreSQL is killed',
  fullSizeOnly,
  async () => {
    await using parts = new AsyncDisposableStack()
    const product = await startSupervisedProduct(parts, { accounts: ACCOUNTS })
    const { postgres, stack, traffic, emails, unexpectedExits } = product
    const { tally } = traffic
    await tally.untilNewWrites(WRITES_TO_WAIT_FOR)

    /** Seconds until a write that was sent after the kill is acknowledged. */
    const writes: Record<string, number[]> = { api: [], worker: [], PostgreSQL: [] }
    const signIns: number[] = []
    const kill = async (tier: string, killAndStart: () => Promise<void>) => {
      const killedAt = performance.now()
      const started = killAndStart()
      await Promise.all([started, tally.untilNewWrites(WRITES_TO_WAIT_FOR)])
      const sentAfterKill = tally.writes.filter(({ sentAt }) => sentAt >= killedAt)
      const times = sentAfterKill.map(({ acknowledgedAt }) => acknowledgedAt - killedAt)
      writes[tier]!.push(seconds(Math.min(...times)))
    }
    const restart = (process: StackProcess) => async () => {
      await process.kill()
      await process.start()
    }
    for (let n = 0; n < KILLS.api; n += 1) await kill('api', restart(stack.api[0]!))
    for (let n = 0; n < KILLS.worker; n += 1) {
      const killedAt = performance.now()
      const before = traffic.sessions.length
      await kill('worker', restart(stack.workers[0]!))
      // A code whose email the kill interrupted is sent by the restarted worker.
      await vi.waitUntil(() => traffic.sessions.length > before, { timeout: SIGN_IN_TIMEOUT_MS })
      signIns.push(seconds(performance.now() - killedAt))
    }
    for (let n = 0; n < KILLS.PostgreSQL; n += 1) await kill('PostgreSQL', postgres.killAndStart)
    await traffic.end()
    const outcome = await outcomeOf(traffic, stack, postgres.url)
    const mails = await countEmails(emails, stack.urls.mailbox, postgres.url)

    const slowest = Object.entries(writes).map(([tier, all]) => `${tier} ${Math.max(...all)}`)
    figures('kills under load', {
      kills: Object.entries(KILLS)
        .map((pair) => pair.join(' '))
        .join(', '),
      'slowest first write, seconds': slowest.join(', '),
      ...traffic.figures(),
      'slowest sign-in after the worker was killed, seconds': Math.max(...signIns),
      'codes by email': mails.codes,
      'notices by email': mails.notices,
      'copies with the same Message-ID': mails.copies,
      missing: JSON.stringify(outcome.missing),
      doubled: JSON.stringify([...outcome.doubled, ...mails.doubled]),
      'signed out': outcome.signedOut + tally.signedOut,
      'sealed audit events': outcome.auditChain.events,
    })
    headline.sum({
      kills: Object.values(KILLS).reduce((sum, count) => sum + count, 0),
      'kinds of writes lost or doubled':
        outcome.missing.length + outcome.doubled.length + mails.doubled.length,
      'signed out': outcome.signedOut + tally.signedOut,
    })
    headline.max({ 'seconds until the next write': Math.max(...Object.values(writes).flat()) })
    expect(tally.failures).toEqual({})
    expect(unexpectedExits).toEqual([])
    expect(outcome).toMatchObject({ missing: [], doubled: [], signedOut: 0 })
    expect(tally.signedOut).toBe(0)
    expect(mails.doubled).toEqual([])
    expect(mails.codes).toBeGreaterThanOrEqual(traffic.sessions.length)
    expect(mails.copies).toBeLessThanOrEqual(KILLS.worker + KILLS.PostgreSQL)
    expect(outcome.auditChain.broken).toBeUndefined()
    expect(outcome.auditChain.events).toBeGreaterThan(0)
    expect(Math.max(...Object.values(writes).flat())).toBeLessThan(LIMIT_SECONDS)
  },
)
