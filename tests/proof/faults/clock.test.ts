import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CODE_MINUTES, RESET_TOKEN_MINUTES, SESSION_HOURS } from '@guidon/contract/limits'
import { startStack } from '@guidon/sandbox/stack/stack'
import { expect, it } from 'vitest'
import { connected } from '../../support/databases.ts'
import { newAccount } from '../../support/outside/account.ts'
import { figures, headline, markdownTable } from '../figures.ts'
import { fullSizeOnly } from '../size.ts'
import { clockCases } from './clock-cases.ts'
import type { Case } from './clock-cases.ts'
import { shiftedClock } from './shifted-clock.ts'
import { supervisedPostgres } from './supervised-postgres.ts'

const SHIFTS = ['+11m', '-11m', '+1d', '-1d'] as const
const ACCOUNTS = 200
/** A sign-in takes a moment. */
const TOLERANCE_MINUTES = 1
const LIFETIMES: Record<string, number> = {
  session: SESSION_HOURS.USER * 60,
  code: CODE_MINUTES,
  link: RESET_TOKEN_MINUTES,
}

/** Each process has its own clock. */
async function startProduct(parts: AsyncDisposableStack) {
  const clocks = {
    API: shiftedClock(parts),
    worker: shiftedClock(parts),
    PostgreSQL: shiftedClock(parts),
  }
  const postgres = await supervisedPostgres(parts)
  await postgres.restart(clocks.PostgreSQL.env)
  const dataDir = mkdtempSync(join(tmpdir(), 'guidon-clocks-'))
  parts.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const accounts = Array.from({ length: ACCOUNTS }, () => newAccount())
  const stack = await startStack({
    dataDir,
    mode: 'test',
    scanner: false,
    accounts,
    databaseUrl: postgres.url,
    env: { WEB_DIR: '', CRM_POLL_SECONDS: '3600', ...clocks.API.env },
    workerEnv: clocks.worker.env,
  })
  parts.defer(() => stack.stop())
  const sql = await connected(postgres.url)
  parts.defer(() => sql.end())
  const emails = accounts.map(({ email }) => email)
  const { portal, mailbox } = stack.urls
  const cases = clockCases({ portal, mailbox, sql, nextEmail: () => emails.pop()! })
  return { clocks, cases }
}

async function accepted(cases: readonly Case[]): Promise<string[]> {
  const names: string[] = []
  for (const one of cases) if (await one.isAccepted()) names.push(one.name)
  return names
}

// Needs libfaketime.
it(
  'a wrong clock of the API or the worker extends and ends nothing; a wrong clock of PostgreSQL extends by its shift at most',
  fullSizeOnly,
  async () => {
    await using parts = new AsyncDisposableStack()
    const { clocks, cases } = await startProduct(parts)
    const table: string[][] = []
    const wrong: string[] = []

    for (const [process, clock] of Object.entries(clocks)) {
      for (const by of SHIFTS) {
        // The clock of PostgreSQL decides what has expired. If it is set back, things stay valid longer, by the shift at most.
        const isPostgres = process === 'PostgreSQL'
        const isAhead = by.startsWith('+')
        const live = await cases.live()
        const expired = await cases.expired(isPostgres && !isAhead ? by.slice(1) : '0')
        const revokedOrUsed = await cases.revokedOrUsed()
        await clock.shift(by)
        const { name: sessionName, isAccepted: isLive } = live[0]
        const extended = await accepted(expired)
        const revived = await accepted(revokedOrUsed)
        const refused = await refusedOf(live)
        const lifetimes = await cases.lifetimes()
        const opened = await cases.signIn()
        await clock.shift('+0')
        const afterwards: string[] = []
        if (!(await isLive())) afterwards.push(sessionName)
        if (!(await opened.isAccepted())) afterwards.push('session of the shifted time')

        const wrongLifetimes = Object.entries(lifetimes)
          .filter(([name, minutes]) => {
            const most = LIFETIMES[name]!
            return minutes > most || minutes < most - TOLERANCE_MINUTES
          })
          .map(([name, minutes]) => `${name} ${Math.round(minutes)} min`)
        table.push(
          [process, by, extended, revived, refused, wrongLifetimes, afterwards].map((cell) =>
            typeof cell === 'string' ? cell : cell.join(', '),
          ),
        )
        const all = [
          ...extended,
          ...revived,
          ...wrongLifetimes,
          ...(isPostgres && isAhead ? [] : refused),
          ...(isPostgres ? [] : afterwards),
        ]
        wrong.push(...all.map((one) => `${process} ${by}: ${one}`))
      }
    }
    markdownTable([
      [
        'Clock of',
        'Shift',
        'Expired and accepted',
        'Revoked or used, and accepted',
        'Valid and refused',
        'Wrong lifetimes',
        'Refused when the clock was right again',
      ],
      ...table,
    ])
    figures('wrong clocks', { rounds: table.length, wrong: JSON.stringify(wrong) })
    headline.sum({ 'wrong clocks': table.length, 'wrong outcomes': wrong.length })
    expect(wrong).toEqual([])
  },
)

async function refusedOf(cases: readonly Case[]): Promise<string[]> {
  const names = new Set(await accepted(cases))
  return cases.filter(({ name }) => !names.has(name)).map(({ name }) => name)
}
