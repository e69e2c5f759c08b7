import { Connection } from '@jsforce/jsforce-node'
import { SANDBOX_CLIENT } from './rest/sessions.ts'

/** The vendor's own program, unchanged, pointed at the sandbox and signed in. */
export async function connect(url: string): Promise<Connection> {
  const connection = new Connection({
    version: '64.0',
    maxRequest: 50,
    oauth2: { clientId: SANDBOX_CLIENT.id, clientSecret: SANDBOX_CLIENT.secret, loginUrl: url },
  })
  await connection.authorize({ grant_type: 'client_credentials' })
  return connection
}

/** Without the retries that the vendor's program makes of its own accord. */
export async function ask<Answer>(
  connection: Connection,
  path: string,
  request: { method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'; body?: unknown } = {},
): Promise<Answer> {
  const { method = 'GET', body } = request
  return connection.request<Answer>(
    {
      method,
      url: `/services/data/v64.0${path}`,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    },
    { timeout: 20_000, retry: { maxRetries: 0 } },
  )
}
