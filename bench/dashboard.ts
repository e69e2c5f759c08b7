import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CrmTask } from './crm.ts'
import { openDashboardHouse, settle } from './dashboard-house.ts'
import { options } from './dashboard-options.ts'
import { loadFigure, printFigures } from './figures.ts'
import { helper } from './helper-process.ts'
import { firstLoad, incrementalSync } from './mirror.ts'
import { readPlans } from './plans.ts'
import { readFigures } from './read-figures.ts'
import { expectSameAnswers, readRound } from './read-rounds.ts'
import type { Round } from './read-rounds.ts'
import { statementsOf } from './statements.ts'
import { addUsers, signIn } from './veterans.ts'

/** Six million rows and their indexes. */
const CRM_HEAP = ['--max-old-space-size=16000', '--expose-gc']

const figures: string[] = []
const note = (line: string) => {
  figures.push(line)
  process.stderr.write(`${line}\n`)
}

const house = await openDashboardHouse(options.dir, { LOG_LEVEL: options.logLevel })

async function load(): Promise<void> {
  const crm = helper<CrmTask, string>('crm.ts', CRM_HEAP)
  const url = await crm.run({ contacts: options.contacts })
  house.environment['SALESFORCE_LOGIN_URL'] = url
  note(await firstLoad(house, url, options.contacts))
  note(await incrementalSync(house, url))
  crm.stop()
  await addUsers(house.sql)
  await settle(house.sql)
}

async function measureReads() {
  const tokenKey = house.environment['TOKEN_KEY']!
  await signIn(house.sql, tokenKey, options.sessions)
  await settle(house.sql)
  const statements = await statementsOf(house.base, house.sql)
  const bare = { database: house.database, tokenKey, statements }
  await expectSameAnswers(house, bare)
  const plans = await readPlans(house.sql, statements, tokenKey)
  for (const line of plans.lines) note(line)
  const rounds: Round[] = []
  for (let n = 0; n < options.rounds; n += 1) {
    rounds.push(await readRound(house, bare, options.sessions))
    process.stderr.write('.')
  }
  const { lines, reached, sound } = readFigures(rounds)
  figures.push(...lines)
  return { reached, sound, indexed: plans.indexed }
}

try {
  const marker = options.dir && join(options.dir, 'loaded')
  if (!marker || !existsSync(marker)) await load()
  if (marker) writeFileSync(marker, '')
  const { reached, sound, indexed } = await measureReads()
  if (!indexed) figures.push('a read looks at a whole table: MISSED')
  process.exitCode = reached && sound && indexed ? 0 : 1
} finally {
  await house.close()
}
printFigures([...figures, loadFigure()])
