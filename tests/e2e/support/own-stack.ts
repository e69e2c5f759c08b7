import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '@guidon/sandbox/stack/stack'
import { startAccountsServer } from './accounts-server.ts'
import { setAddresses } from './addresses.ts'
import { test } from './test.ts'

/**
 * Runs the journeys of a file or a `describe` on a stack of their own, whose processes have these variables. `restart`
 * restarts the APIs, so that they read a changed brand folder; `admin` runs an admin command.
 */
export function useOwnStack(env: Record<string, string>): {
  restart(): Promise<void>
  admin(args: readonly string[]): Promise<string>
} {
  const before = { ...process.env }
  const dataDir = mkdtempSync(join(tmpdir(), 'guidon-own-stack-'))
  let stop = async () => {}
  let restart = async () => {}
  let admin = async (_args: readonly string[]) => ''

  test.beforeAll(async () => {
    // Far more than an idle machine needs.
    test.setTimeout(240_000)
    const stack = await startStack({
      dataDir,
      mode: 'production',
      durable: false,
      env: { CRM_POLL_SECONDS: '2', CRM_SEND_SECONDS: '0.2', ...env },
    })
    const accounts = await startAccountsServer(stack.admin)
    admin = (args) => stack.admin(args)
    restart = async () => {
      for (const api of stack.api) {
        await api.stop()
        await api.start()
      }
    }
    stop = async () => {
      await accounts.close()
      await stack.stop()
    }
    setAddresses(stack, accounts)
  })
  test.afterAll(async () => {
    await stop()
    Object.assign(process.env, before)
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { restart: () => restart(), admin: (args) => admin(args) }
}
