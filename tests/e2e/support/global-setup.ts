import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DEMO_ACCOUNTS } from '@guidon/sandbox/stack/demo-accounts'
import { seedDemoCrm } from '@guidon/sandbox/stack/demo-crm'
import { onImage } from '@guidon/sandbox/stack/image'
import { fileLog } from '@guidon/sandbox/stack/logs'
import { startStack } from '@guidon/sandbox/stack/stack'
import { startAccountsServer } from './accounts-server.ts'
import { setAddresses } from './addresses.ts'
import { buildWebIfStale } from './build-web.ts'

/**
 * Starts one stack for all journeys, shaped like production: two API processes behind a round-robin
 * balancer, and two workers. So journeys fail if a process keeps state in its memory. With the root of
 * an image in GUIDON_IMAGE_ROOT, the processes run from that image.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const image = process.env['GUIDON_IMAGE_ROOT']
  if (!image) buildWebIfStale()
  const dataDir = mkdtempSync(join(tmpdir(), 'guidon-e2e-'))
  const logFile = resolve(import.meta.dirname, '../test-results/stack.log')
  rmSync(logFile, { force: true })
  const stack = await startStack({
    dataDir,
    mode: 'production',
    apis: 2,
    workers: 2,
    balancer: true,
    durable: false,
    // Poll and send often, because journeys wait for changes of the CRM.
    env: { CRM_POLL_SECONDS: '2', CRM_SEND_SECONDS: '0.2', ...(image && onImage(image).env) },
    ...(image && onImage(image).commands),
    log: fileLog(logFile),
  })
  const accounts = await startAccountsServer(stack.admin)
  // For `npm run screens`. Created last, because Manage Users shows the newest accounts first.
  if (process.env['GUIDON_DEMO_ACCOUNTS']) {
    await seedDemoCrm(stack.urls.salesforce)
    await stack.admin(['create-users'], JSON.stringify(DEMO_ACCOUNTS))
  }
  setAddresses(stack, accounts)
  return async () => {
    await accounts.close()
    await stack.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
