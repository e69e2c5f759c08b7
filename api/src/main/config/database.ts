import { z } from 'zod'
import { count, orEmpty } from './types.ts'

const url = z.url({ protocol: /^postgres(ql)?$/ })

/** The variables of the database; a part of `variables`. */
export const databaseVariables = {
  DATABASE_URL: url.describe(
    'PostgreSQL 18 database: postgresql://user:password@host:port/name. An API may connect through PgBouncer; workers and admin commands must not',
  ),
  DATABASE_OWNER_URL: url
    .optional()
    .describe(
      'URL of the same database with the login of its owner, for migrations; DATABASE_URL then needs only the role guidon_app',
    ),
  DATABASE_POOL: count
    .default(10)
    .describe(
      'Size of the connection pool of a process. An API opens up to four more connections, a worker up to eight more',
    ),
  DATABASE_READ_URL: orEmpty(url).describe(
    'URL of a streaming replica with the same login. Listings, searches, exports and the nightly comparison with the CRM read from it while it is less than 10 seconds behind, and from DATABASE_URL otherwise',
  ),
  DATABASE_WAIT_SECONDS: z.coerce
    .number()
    .int()
    .nonnegative()
    .default(60)
    .describe(
      'How long an API or a worker waits at its start while the database is unreachable or read-only; then it exits',
    ),
} as const
