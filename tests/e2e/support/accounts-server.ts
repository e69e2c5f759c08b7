import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Stack } from '@guidon/sandbox/stack/stack'
import { newAccount } from '../../support/outside/account.ts'
import type { Account } from '../../support/outside/account.ts'

type Role = Account['role']

/** Accounts per run of the admin CLI. Many at once, because each run starts a process. */
const BATCH: Record<Role, number> = { USER: 120, STAFF: 10, ADMIN: 10 }

/**
 * Serves new accounts to the Playwright workers over HTTP. Accounts come from the admin CLI,
 * which only the process that started the stack can run.
 */
export async function startAccountsServer(admin: Stack['admin']) {
  const unusedAccounts: Record<Role, Account[]> = { USER: [], STAFF: [], ADMIN: [] }
  let lastRequest: Promise<unknown> = Promise.resolve()

  const create = async (roles: readonly Role[]): Promise<void> => {
    const accounts = roles.flatMap((role) =>
      Array.from({ length: BATCH[role] }, () => newAccount(role)),
    )
    await admin(['create-users'], JSON.stringify(accounts))
    for (const account of accounts) unusedAccounts[account.role].push(account)
  }
  const take = async (role: Role): Promise<Account> => {
    if (unusedAccounts[role].length === 0) await create([role])
    return unusedAccounts[role].pop()!
  }

  await create(['USER', 'STAFF', 'ADMIN'])
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://accounts')
    const role = searchParams.get('role') as Role
    lastRequest = lastRequest
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
