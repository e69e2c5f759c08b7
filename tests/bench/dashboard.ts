import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '@guidon/sandbox/free-port'
import { startPooler } from '@guidon/sandbox/pooler'
import { noLog } from '@guidon/sandbox/stack/logs'
import { StackProcess } from '@guidon/sandbox/stack/stack-process'
import { vacuumAndCheckpoint } from './api-stack.ts'
import { dashboardRows } from './dashboard-rows.ts'
import { loadFigure, printFigures, report } from './figures.ts'
import { openKeptRows } from './kept-rows.ts'
import { readPlans, WITH_MANY_DOCUMENTS } from './plans.ts'
import { expectSameResponses, readFigures, readRound, roundFigure } from './read-rounds.ts'
import type { Round } from './read-rounds.ts'
import { statementsOf } from './statements.ts'
import { accessHasher, addManyDocuments, signInVeterans } from './veterans.ts'

/**
 * The reads of a dashboard, compared with a minimal server and with SQL alone, which run the same statements. The size
 * matters for the plans and for the time of a statement. Fifty thousand contacts (half a million rows) are enough for
 * PostgreSQL to choose the indexes that it uses for a million contacts. They are also the stricter size for the ratios: with
 * more rows a statement takes longer, and the share of the portal gets smaller. `--contacts 1000000` measures that.
 */

const { values } = parseArgs({
  options: {
    contacts: { type: 'string', default: '50000' },
    sessions: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '12' },
    'log-level': { type: 'string', default: 'info' },
    /** The path of PgBouncer: reads through it are measured beside the others. */
    pooler: { type: 'string' },
  },
})
const contacts = Number(values.contacts)
/** Veterans who are signed in while the reads are measured. */
const sessions = Math.min(Number(values.sessions), contacts)
const rounds = Number(values.rounds)

const kept = await openKeptRows()
const parts = new AsyncDisposableStack()
parts.defer(() => kept.close())
const figures: string[] = []
try {
  await measureReads()
} finally {
  await parts.disposeAsync()
}
printFigures([...figures, loadFigure()])

async function measureReads(): Promise<void> {
  const { stack, sql } = await kept.startApi(dashboardRows(contacts), {
    LOG_LEVEL: values['log-level'],
    WEB_DIR: '',
  })
  const { environment, urls } = stack
  const pooled = values.pooler && (await startPooledApi(values.pooler, environment))
  const [base, tokenKey] = [urls.api[0]!, environment['TOKEN_KEY']!]
  const sides = {
    base,
    pooled: pooled || undefined,
    restart: async () => {
      await stack.api[0]!.restart()
      if (pooled) await pooled.restart()
    },
  }
  report(`opening ${sessions} sessions`)
  await signInVeterans(sql, tokenKey, sessions)
  await addManyDocuments(sql, accessHasher(tokenKey)(WITH_MANY_DOCUMENTS))
  await vacuumAndCheckpoint(sql, ['sessions', 'session_tokens', 'crm_document', 'documents'])
  const statements = await statementsOf(base, sql)
  const baseline = { database: urls.database, tokenKey, statements }
  await expectSameResponses(base, baseline)
  const plans = await readPlans(sql, statements, tokenKey)
  for (const line of plans.lines) report(line)
  const measured: Round[] = []
  for (let round = 1; round <= rounds; round += 1) {
    measured.push(await readRound(sides, baseline, sessions))
    report(`round ${round} of ${rounds}: ${roundFigure(measured.at(-1)!)}`)
  }
  const { lines, reached, valid } = readFigures(measured)
  figures.push(...plans.lines, ...lines)
  if (!plans.indexed) figures.push('a read scans a whole table: MISSED')
  process.exitCode = reached && valid && plans.indexed ? 0 : 1
}

/** A second API on the same database, which connects through PgBouncer. */
async function startPooledApi(program: string, environment: Readonly<Record<string, string>>) {
  const url = environment['DATABASE_URL']!
  const pooler = await startPooler({ program, url })
  parts.defer(() => pooler.close())
  const port = await freePort()
  const api = new StackProcess({
    name: 'pooled api',
    args: ['--max-semi-space-size=16', 'api/src/main/serve.ts'],
    cwd: join(import.meta.dirname, '../..'),
    env: {
      ...process.env,
      ...environment,
      DATABASE_URL: pooler.urlOf(url),
      PORT: String(port),
    },
    ready: { url: `http://127.0.0.1:${port}/readyz` },
    stopTimeoutMs: 10_000,
    log: noLog(),
    onUnexpectedExit: () => {},
  })
  parts.defer(() => api.stop())
  await api.start()
  return { base: `http://127.0.0.1:${port}`, restart: () => api.restart() }
}
