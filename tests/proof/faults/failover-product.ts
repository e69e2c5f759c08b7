import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@guidon/sandbox/free-port'
import { HaCluster } from '@guidon/sandbox/ha/ha-cluster'
import type { HaOptions } from '@guidon/sandbox/ha/plan'
import { startStack } from '@guidon/sandbox/stack/stack'
import { startHaproxy } from '../../support/haproxy.ts'
import { NO_UPLOAD_QUOTA } from '../../support/no-upload-quota.ts'
import { newAccount } from '../../support/outside/account.ts'
import { FailoverTraffic } from './failover-traffic.ts'

/** The whole product on a cluster: APIs through PgBouncer, workers through HAProxy, veterans through the balancer. */
export async function startProductOn(
  options: HaOptions & { accounts: number },
  parts: AsyncDisposableStack,
) {
  const cluster = await HaCluster.start(options)
  parts.defer(() => cluster.drop())
  const dataDir = mkdtempSync(join(tmpdir(), 'guidon-failover-'))
  parts.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const accounts = Array.from({ length: options.accounts }, () => newAccount())
  const port = await freePort()
  const portal = `https://localhost:${port}`
  const unexpectedExits: string[] = []
  const stack = await startStack({
    dataDir,
    mode: 'production',
    apis: 2,
    workers: 2,
    accounts,
    databaseUrl: cluster.urls.pooled,
    env: {
      PUBLIC_URL: portal,
      WEB_DIR: '',
      CRM_POLL_SECONDS: '3600',
      DATABASE_OWNER_URL: cluster.urls.owner,
      ...NO_UPLOAD_QUOTA,
    },
    workerEnv: { DATABASE_URL: cluster.urls.web },
    onUnexpectedExit: (name, how) => unexpectedExits.push(`${name}: ${how}`),
  })
  parts.defer(() => stack.stop())
  const balancer = await startHaproxy(port, stack.urls.api)
  parts.defer(() => balancer.close())
  await balancer.waitUntilUp(2)
  const { mailbox, api } = stack.urls
  const traffic = new FailoverTraffic({ portal, apis: api, mailbox })
  await traffic.start(accounts.map(({ email }) => email))
  parts.defer(() => traffic.end())
  return { cluster, stack, traffic, unexpectedExits, databaseUrl: cluster.urls.owner }
}
