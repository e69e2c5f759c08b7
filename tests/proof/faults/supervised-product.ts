import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '@guidon/sandbox/stack/stack'
import { NO_UPLOAD_QUOTA } from '../../support/no-upload-quota.ts'
import { newAccount } from '../../support/outside/account.ts'
import { FailoverTraffic } from './failover-traffic.ts'
import { supervisedPostgres } from './supervised-postgres.ts'

interface Options {
  accounts: number
  /** For the data of PostgreSQL, instead of a new folder. */
  databaseDir?: string
}

/** One API, one worker and one PostgreSQL as processes under traffic, so that the end of one ends a whole tier. */
export async function startSupervisedProduct(parts: AsyncDisposableStack, options: Options) {
  const postgres = await supervisedPostgres(parts, options.databaseDir)
  const dataDir = mkdtempSync(join(tmpdir(), 'guidon-supervised-'))
  parts.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const accounts = Array.from({ length: options.accounts }, () => newAccount())
  const unexpectedExits: string[] = []
  const stack = await startStack({
    dataDir,
    mode: 'test',
    balancer: true,
    accounts,
    databaseUrl: postgres.url,
    env: { WEB_DIR: '', CRM_POLL_SECONDS: '3600', ...NO_UPLOAD_QUOTA },
    onUnexpectedExit: (name, how) => unexpectedExits.push(`${name}: ${how}`),
  })
  parts.defer(() => stack.stop())
  const { portal, mailbox } = stack.urls
  const traffic = new FailoverTraffic({ portal, apis: [portal], mailbox })
  const emails = accounts.map(({ email }) => email)
  await traffic.start(emails)
  parts.defer(() => traffic.end())
  return { postgres, stack, traffic, emails, unexpectedExits, uploadDir: join(dataDir, 'uploads') }
}
