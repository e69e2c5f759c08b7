import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startHelper } from '../support/outside/helper-process.ts'
import { vacuumAndCheckpoint } from './api-stack.ts'
import type { CrmTask } from './crm.ts'
import { options } from './dashboard-options.ts'
import { startDashboardStack } from './dashboard-stack.ts'
import { loadFigure, printFigures } from './figures.ts'
import { firstLoad, incrementalSync } from './mirror.ts'
import { readPlans, WITH_MANY_DOCUMENTS } from './plans.ts'
import { readFigures } from './read-figures.ts'
import { expectSameResponses, readRound } from './read-rounds.ts'
import type { Round } from './read-rounds.ts'
import { statementsOf } from './statements.ts'
import {
  accessHasher,
  addLinkedUsers,
  addManyDocuments,
  addOwnDocuments,
  signInVeterans,
} from './veterans.ts'

/** Enough for seven million rows and their indexes. */
const CRM_HEAP = ['--max-old-space-size=16000', '--expose-gc']

const figures: string[] = []
const report = (line: string) => {
  figures.push(line)
  process.stderr.write(`${line}\n`)
}

const environment = { LOG_LEVEL: options.logLevel }
const stack = await startDashboardStack(options.dir, environment, options.pooler)

async function load(): Promise<void> {
  const crm = startHelper<CrmTask, string>(new URL('crm.ts', import.meta.url), CRM_HEAP)
  const url = await crm.run({ contacts: options.contacts })
  stack.environment['SALESFORCE_LOGIN_URL'] = url
  report(await firstLoad(stack, url, options.contacts))
  report(await incrementalSync(stack, url))
  crm.stop()
  await addLinkedUsers(stack.sql)
  await addOwnDocuments(stack.sql)
  await vacuumAndCheckpoint(stack.sql)
}

async function measureReads() {
  const tokenKey = stack.environment['TOKEN_KEY']!
  await signInVeterans(stack.sql, tokenKey, options.sessions)
  await addManyDocuments(stack.sql, accessHasher(tokenKey)(WITH_MANY_DOCUMENTS))
  await vacuumAndCheckpoint(stack.sql)
  const statements = await statementsOf(stack.base, stack.sql)
  const baseline = { database: stack.database, tokenKey, statements }
  await expectSameResponses(stack, baseline)
  const plans = await readPlans(stack.sql, statements, tokenKey)
  for (const line of plans.lines) report(line)
  const rounds: Round[] = []
  for (let n = 0; n < options.rounds; n += 1) {
    rounds.push(await readRound(stack, baseline, options.sessions))
    process.stderr.write('.')
  }
  const { lines, reached, valid } = readFigures(rounds)
  figures.push(...lines)
  return { reached, valid, indexed: plans.indexed }
}

try {
  const marker = options.dir && join(options.dir, 'loaded')
  if (!marker || !existsSync(marker)) await load()
  if (marker) writeFileSync(marker, '')
  const { reached, valid, indexed } = await measureReads()
  if (!indexed) figures.push('a read scans a whole table: MISSED')
  process.exitCode = reached && valid && indexed ? 0 : 1
} finally {
  await stack.close()
}
printFigures([...figures, loadFigure()])
