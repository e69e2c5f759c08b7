import { inspect } from 'node:util'
import { APP_ROLE } from '../db/database.ts'
import { Busy } from '../db/locks.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { showsStackTraces } from './config/config.ts'
import { RUN_MIGRATE } from './schema.ts'

const DATABASE_URLS = 'DATABASE_URL and DATABASE_OWNER_URL'

/** By SQLSTATE. */
const DATABASE_PROBLEMS: Record<string, string> = {
  '28P01': `PostgreSQL refused the password. Check ${DATABASE_URLS}.`,
  '28000': `PostgreSQL refused the login. Check ${DATABASE_URLS}, and pg_hba.conf.`,
  '3D000': `PostgreSQL has no database of this name. Check ${DATABASE_URLS}.`,
  '42501':
    'The login of the database lacks a permission. docs/operate/deploy.md, "Your own PostgreSQL", names what each login needs.',
  '53300': 'PostgreSQL has no connection left. Raise max_connections, or lower DATABASE_POOL.',
  '57014':
    'PostgreSQL cancelled a statement that took too long. Check the load of the database, then try again.',
  '57P03': 'PostgreSQL is starting or stopping. Try again in a minute.',
}
const INVALID_VALUE = '22023'
const UNREACHABLE = new Set(['connect', 'getaddrinfo', 'read'])

type AnyError = NodeJS.ErrnoException & { port?: number }

/** What happened and what to do, in words without secrets or personal data. Undefined for a defect of Guidon. */
export function explained(error: unknown): string | undefined {
  if (error instanceof OperatorError) return error.message
  if (error instanceof Busy) return 'A document is being sent to Box: run this again in a minute.'
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall = '', path, port, message } = error as AnyError
  if (DATABASE_PROBLEMS[code]) return DATABASE_PROBLEMS[code]
  if (code === INVALID_VALUE && message.includes(APP_ROLE)) {
    return `PostgreSQL has no role ${APP_ROLE}. ${RUN_MIGRATE} If the database is not new, create the role as docs/operate/deploy.md says.`
  }
  if (/^pg-boss (is not installed|database requires)/.test(message)) {
    return `The queues are not up to date. ${RUN_MIGRATE}`
  }
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use. Stop the other process, or set PORT or METRICS_PORT.`
  }
  if (code === 'EACCES' && syscall === 'listen') {
    return `This user may not listen on port ${port}. Set PORT or METRICS_PORT to 1024 or higher.`
  }
  if (path && code) return `${path} cannot be used (${code}). Check its name and its permissions.`
  const isLost =
    /timeout exceeded when trying to connect|^Connection terminated|^Query read timeout/.test(
      message,
    )
  // Node tries all addresses of a name, and reports their errors together.
  const isUnreachable = UNREACHABLE.has(syscall) || (error instanceof AggregateError && code !== '')
  if (!isLost && !isUnreachable) return undefined
  return `PostgreSQL cannot be reached (${code || 'timeout'}). Check that it runs, and check ${DATABASE_URLS}.`
}

/** A defect of Guidon: where it happened, without the message, which can quote personal data. */
function unexpected(error: unknown): string {
  if (!(error instanceof Error)) return `Failed unexpectedly (${typeof error}).`
  const calls = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  const first = `Failed unexpectedly (${error.name}). Set LOG_LEVEL=debug to print the message.`
  return [first, ...calls].join('\n')
}

/** Runs a process. A failure ends it with exit code 1 and says what to do. */
export async function run(start: () => Promise<void>): Promise<void> {
  try {
    await start()
  } catch (error) {
    process.stderr.write(`${explained(error) ?? unexpected(error)}\n`)
    if (showsStackTraces()) process.stderr.write(`${inspect(error)}\n`)
    process.exit(1)
  }
}
