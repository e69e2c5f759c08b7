import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { version } from './version.ts'

export type Log = Logger

/**
 * Every other field is dropped, so that personal data cannot reach the log with a whole object. URLs can
 * contain tokens, so the route's pattern is logged instead.
 */
const ALLOWED = new Set([
  'requestId',
  'method',
  'route',
  'status',
  'ms',
  'err',
  'job',
  'jobId',
  'attempt',
  'process',
  'address',
  'migrations',
  'partitions',
  'count',
  'seal',
  'hash',
  'kind',
  'reason',
  'code',
  'purpose',
  'there',
  'here',
  'outcome',
  'used',
  'allowed',
  'saveFailures',
  'problems',
  'missing',
  'read',
  'recorded',
  'skipped',
  'userId',
  'contactId',
])

/** pg-boss reports copies of errors, which are plain objects. */
const isError = (value: unknown): value is Error =>
  value instanceof Error ||
  (typeof value === 'object' &&
    value !== null &&
    'stack' in value &&
    typeof value.stack === 'string')

/** Keeps type and stack only, because error messages can quote personal data. */
function anonymous(error: unknown): object {
  if (!isError(error)) return { type: typeof error }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  const cause = error.cause ? { cause: anonymous(error.cause) } : {}
  const type = error instanceof Error ? error.name : 'Error'
  return { type, ...code, at: frames.map((line) => line.trim()), ...cause }
}

export function createLog(level: string, process: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: { process, version },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) =>
          Object.fromEntries(
            Object.entries(fields)
              .filter(([name]) => ALLOWED.has(name))
              .map(([name, value]) => [name, name === 'err' ? anonymous(value) : value]),
          ),
      },
      serializers: { err: (value: unknown) => value },
    },
    destination as DestinationStream,
  )
}
