import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Stack } from '@guidon/sandbox/stack/stack'

/**
 * Accounts come only from the command line tool or a sign-up, and the tool belongs to the process that
 * started the house. Journeys run in processes of their own, so they ask for accounts here.
 */
export async function startPeopleDesk(admin: Stack['admin']) {
  const server = createServer((request, response) => {
    text(request)
      .then((people) => admin(['create-users'], people))
      .then(
        () => response.writeHead(204).end(),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
