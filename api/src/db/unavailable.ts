const READ_ONLY = '25006'
const NO_RESPONSE = 'Query read timeout'

/**
 * By SQLSTATE or the code of the network. A primary that is stopped, being replaced, full of connections or without disk
 * space (53100); a client may repeat what failed. 25006: the server has become a standby. 08P01: PgBouncer has no server
 * connection.
 */
const CODES: ReadonlySet<string> = new Set([
  '57P01',
  '57P02',
  '57P03',
  READ_ONLY,
  '53100',
  '53300',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const CONNECTION_EXCEPTION = /^08[0-9A-Z]{3}$/
/** Errors of pg and its pool that have no code. */
const MESSAGES =
  /^Connection terminated|^timeout exceeded when trying to connect|^timeout expired|^Query read timeout|^Client (was closed|has encountered a connection error)/

const MAX_CAUSES = 5

/** Whether PostgreSQL failed, and not the statement. What was sent last may have been committed. */
export function isUnavailable(error: unknown, depth = MAX_CAUSES): boolean {
  if (!(error instanceof Error) || depth === 0) return false
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && (CODES.has(code) || CONNECTION_EXCEPTION.test(code))) return true
  if (code === undefined && MESSAGES.test(error.message)) return true
  return isUnavailable(error.cause, depth - 1)
}

/** Whether further statements on this connection would fail, too, although it is open. */
export const isOfUselessConnection = (error: Error): boolean =>
  ('code' in error && error.code === READ_ONLY) || error.message === NO_RESPONSE
