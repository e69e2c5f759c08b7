import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Stack } from '@guidon/sandbox/stack/stack'
import { newAccount } from './account.ts'
import type { Account } from './account.ts'

/** Made in one go, because each run of the command line tool is a process to start. */
const BATCH = 40

/**
 * Accounts come only from the command line tool or a sign-up, and the tool belongs to the process that
 * started the house. Journeys run in processes of their own, so they ask for accounts here.
 */
export async function startPeopleDesk(admin: Stack['admin']) {
  const waiting: Record<Account['role'], Account[]> = { USER: [], STAFF: [], ADMIN: [] }
  let turn: Promise<unknown> = Promise.resolve()

  const take = async (role: Account['role']): Promise<Account> => {
    if (waiting[role].length === 0) {
      const people = Array.from({ length: role === 'USER' ? BATCH : BATCH / 10 }, () =>
        newAccount(role),
      )
      await admin(['create-users'], JSON.stringify(people))
      waiting[role].push(...people)
    }
    return waiting[role].pop()!
  }

  const server = createServer((request, response) => {
    const role = new URL(request.url ?? '/', 'http://desk').searchParams.get(
      'role',
    ) as Account['role']
    turn = turn
      .then(() => take(role))
      .then(
        (account) => response.end(JSON.stringify(account)),
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
