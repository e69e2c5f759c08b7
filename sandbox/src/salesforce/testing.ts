import { Connection } from '@jsforce/jsforce-node'
import { SANDBOX_CLIENT } from './rest/sessions.ts'

/** A jsforce connection to the sandbox, signed in. */
export async function connect(url: string): Promise<Connection> {
  const connection = new Connection({
    version: '64.0',
    maxRequest: 50,
    oauth2: { clientId: SANDBOX_CLIENT.id, clientSecret: SANDBOX_CLIENT.secret, loginUrl: url },
  })
  await connection.authorize({ grant_type: 'client_credentials' })
  return connection
}

/** Sends a request without jsforce's retries. */
export async function request<Result>(
  connection: Connection,
  path: string,
  options: { method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'; body?: unknown } = {},
): Promise<Result> {
  const { method = 'GET', body } = options
  return connection.request<Result>(
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
