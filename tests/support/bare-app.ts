import { createApp } from '../../api/src/http/app.ts'
import type { HttpParts } from '../../api/src/http/app.ts'
import { sources } from '../../api/src/http/source.ts'
import { createLog } from '../../api/src/platform/log.ts'
import { readiness } from '../../api/src/platform/readiness.ts'
import { tokens } from '../../api/src/platform/tokens.ts'

/** The HTTP server without features and database, for tests of what happens before a handler. */
export function bareApp(options: Pick<HttpParts, 'publicUrl'> & Partial<HttpParts>) {
  const log = createLog('silent', 'test')
  return createApp({
    log,
    allowedOrigins: [],
    trustProxy: [],
    findSession: async () => undefined,
    readiness: readiness({}, log),
    sourceOf: sources(tokens([Buffer.alloc(32)])),
    staffActionRefused: async () => {},
    ...options,
  })
}
