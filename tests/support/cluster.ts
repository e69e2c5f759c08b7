import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBox } from '@guidon/sandbox/box/box'
import { startChecker } from '@guidon/sandbox/checker'
import { startClamd } from '@guidon/sandbox/clamd'
import { startMailbox } from '@guidon/sandbox/mailbox/mailbox'
import { startPooler } from '@guidon/sandbox/pooler'
import { startPostgres } from '@guidon/sandbox/postgres'
import { startSalesforce } from '@guidon/sandbox/salesforce/salesforce'
import { sandboxEnvironment } from '@guidon/sandbox/stack/sandbox-environment'
import type { TestProject } from 'vitest/node'
import type { Environment } from '../../api/src/platform/value-files.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The cluster's URL for the superuser, without a database name. */
    clusterUrl: string
    /** The path of PgBouncer. If it is set, every API connects through it. Workers connect directly. */
    poolerProgram: string
    /** PgBouncer in front of the cluster; empty if the APIs connect directly. */
    poolerUrl: string
    environment: Environment
    mailboxUrl: string
    salesforceUrl: string
  }
}

/** Each test file has its own database: their idle connections would fill the server. */
const POOLER_SETTINGS = { server_idle_timeout: 1, max_client_conn: 2000 }

/** Starts one PostgreSQL cluster and one of each sandbox for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'guidon-test-'))
  const [postgres, mailbox, salesforce, box, scanner, checker] = await Promise.all([
    startPostgres({ dataDir, durable: false }),
    startMailbox(),
    startSalesforce(),
    startBox(),
    startClamd([], undefined, new Date()),
    startChecker(),
  ])
  const environment: Environment = {
    NODE_ENV: 'test',
    // The template of the tests' databases, which the first of them creates (databases.ts).
    DATABASE_URL: Object.assign(new URL(postgres.url), { pathname: '/guidon_template' }).href,
    PUBLIC_URL: 'http://localhost:4000',
    TOKEN_KEY: randomBytes(32).toString('base64'),
    PASSWORD_PEPPER: randomBytes(32).toString('base64'),
    DATA_KEYS: randomBytes(32).toString('base64'),
    SMTP_URL: mailbox.smtpUrl,
    ...sandboxEnvironment({ salesforce, box, scanner, checker }),
    UPLOAD_DIR: join(dataDir, 'uploads'),
    WEB_DIR: '',
    // All test clients have the same address; tests of the limits set this to 1.
    ADDRESS_LIMIT_FACTOR: '10000',
    CRM_SEND_SECONDS: '0.1',
    // Only its own tests let a sign-up wait for the CRM.
    CRM_SIGN_UP_SECONDS: '0',
    LOG_LEVEL: 'debug',
  }
  const program = project.config.provide.poolerProgram
  const pooler = program
    ? await startPooler({ program, url: postgres.url, settings: POOLER_SETTINGS })
    : undefined
  project.provide('clusterUrl', postgres.url)
  project.provide('poolerUrl', pooler?.urlOf(postgres.url) ?? '')
  project.provide('environment', environment)
  project.provide('mailboxUrl', mailbox.url)
  project.provide('salesforceUrl', salesforce.url)
  return async () => {
    await pooler?.close()
    await Promise.all([
      postgres.stop(),
      mailbox.close(),
      salesforce.close(),
      box.close(),
      scanner.close(),
      checker.close(),
    ])
    rmSync(dataDir, { recursive: true, force: true })
  }
}
