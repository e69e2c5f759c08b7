import { createApp } from '../src/http/app.ts'
import type { HttpParts } from '../src/http/app.ts'
import { sources } from '../src/http/source.ts'
import { createLog } from '../src/platform/log.ts'
import { readiness } from '../src/platform/readiness.ts'
import { tokens } from '../src/platform/tokens.ts'

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
