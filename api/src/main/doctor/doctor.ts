import { createLog } from '../../platform/log.ts'
import { withTimeout } from '../../platform/timeout.ts'
import type { Environment } from '../../platform/value-files.ts'
import { readConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { explained } from '../run.ts'
import { certificate } from './certificate.ts'
import { checker } from './checker.ts'
import { brand, configuration } from './configuration.ts'
import { database, migrations, replica, roles } from './database.ts'
import { problem } from './finding.ts'
import type { Examined, Finding, Subject } from './finding.ts'
import { clock, disk } from './machine.ts'
import { relay } from './relay.ts'
import { scanner } from './scanner.ts'
import { box, salesforce } from './vendors.ts'

const SUBJECTS: readonly Subject[] = [
  configuration,
  brand,
  database,
  roles,
  migrations,
  replica,
  salesforce,
  box,
  scanner,
  checker,
  relay,
  clock,
  disk,
  certificate,
]

/** For each subject. They are examined at the same time. */
const LIMIT_MS = 20_000

const EXIT_CODES = { ok: 0, warning: 1, problem: 2 } as const

/** A subject that cannot be examined does not affect the others. */
async function examine({ needs, check }: Subject, examined: Examined): Promise<Finding> {
  const unusable = needs.filter((name) => examined.problems.has(name))
  if (unusable.length > 0) {
    return problem(`Not checked, because ${unusable.join(' and ')} cannot be used.`)
  }
  try {
    return await withTimeout(LIMIT_MS, check(examined))
  } catch (error) {
    if (error instanceof Error && error.message === 'timeout') {
      return problem(`No result after ${LIMIT_MS / 1000} s.`)
    }
    return problem(explained(error) ?? `The check failed (${(error as Error).name}).`)
  }
}

const onOneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ')

/** Prints one line for each subject. Returns the exit code. */
export async function doctor(
  environment: Environment,
  { to, now = Date.now }: { to?: string | undefined; now?: () => number },
  print: (line: string) => void,
): Promise<number> {
  const { config, problems } = readConfig(environment)
  const log = createLog('silent', 'admin')
  const examined = { config: config as Config, problems, to, now, log }
  const findings = SUBJECTS.map((subject) => examine(subject, examined))
  let exitCode = 0
  for (const [index, { name }] of SUBJECTS.entries()) {
    const { level, text } = await findings[index]!
    print(`${level.padEnd(7)}  ${name}: ${onOneLine(text)}`)
    exitCode = Math.max(exitCode, EXIT_CODES[level])
  }
  return exitCode
}
