import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startBox } from '@guidon/sandbox/box/box'
import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import { startChecker } from '@guidon/sandbox/checker'
import { startClamd } from '@guidon/sandbox/clamd'
import { startMailbox } from '@guidon/sandbox/mailbox/mailbox'
import { startPostgres } from '@guidon/sandbox/postgres'
import { salesforceControl } from '@guidon/sandbox/salesforce/client'
import { startSalesforce } from '@guidon/sandbox/salesforce/salesforce'
import { sandboxEnvironment } from '@guidon/sandbox/stack/sandbox-environment'
import { migrateAll } from '../../../api/src/main/compose/compose.ts'
import { parseConfig } from '../../../api/src/main/config/config.ts'
import { createLog } from '../../../api/src/platform/log.ts'
import { afterFile } from '../../support/after-file.ts'
import { connected } from '../../support/databases.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const KEY_OPTIONS = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Everything that the portal uses, set up as `docs/operate/deploy.md` says. */
export async function startHealthySystem() {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-doctor-'))
  const [postgres, mailbox, salesforce, box, scanner, checker] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres'), durable: false }),
    startMailbox(),
    startSalesforce(),
    startBox(),
    startClamd([], undefined, new Date()),
    startChecker(),
  ])
  const closing = new AsyncDisposableStack()
  afterFile(async () => {
    await closing.disposeAsync()
    const parts = [mailbox, salesforce, box, scanner, checker].map((part) => part.close())
    await Promise.all([...parts, postgres.stop()])
    rmSync(folder, { recursive: true, force: true })
  })
  const databaseUrls = await createDatabase(postgres.url)
  const certificates = certificateAuthority(folder)
  const environment: Record<string, string | undefined> = {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrls.web,
    DATABASE_OWNER_URL: databaseUrls.owner,
    PUBLIC_URL: await certificates.serve('localhost', 90),
    TOKEN_KEY: randomBytes(32).toString('base64'),
    PASSWORD_PEPPER: randomBytes(32).toString('base64'),
    DATA_KEYS: randomBytes(32).toString('base64'),
    SMTP_URL: mailbox.smtpUrl.replace('//', '//portal:mail-secret@'),
    ...sandboxEnvironment({ salesforce, box, scanner, checker }),
    BRAND_DIR: brandWithoutSampleTexts(folder),
    UPLOAD_DIR: join(folder, 'uploads'),
  }
  await migrateAll(parseConfig(environment), createLog('error', 'test'))
  const sql = await connected(databaseUrls.superuser)
  closing.defer(() => sql.end())
  return {
    environment,
    databaseUrls,
    certificates,
    mailboxUrl: mailbox.url,
    salesforce: salesforceControl(salesforce.url),
    box: new BoxSandboxClient(box.url),
    /** Runs a statement as the superuser. */
    sql: async (statement: string) => void (await sql.query(statement)),
  }
}

/** The roles of `deploy/postgres/roles.sh`, and a login `stranger` that has none of them. */
async function createDatabase(superuserUrl: string) {
  const sql = await connected(superuserUrl)
  const statements = [
    `create role guidon_owner login password 'owner-secret'`,
    'create role guidon_app nologin',
    `create role guidon_web login password 'web-secret' in role guidon_app`,
    `create role stranger login password 'stranger-secret'`,
    'create database guidon owner guidon_owner',
  ]
  for (const statement of statements) await sql.query(statement)
  await sql.end()
  const urlOf = (user?: string, password?: string) => {
    const url = new URL(superuserUrl)
    url.pathname = '/guidon'
    if (user && password) Object.assign(url, { username: user, password })
    return url.href
  }
  return {
    superuser: urlOf(),
    owner: urlOf('guidon_owner', 'owner-secret'),
    web: urlOf('guidon_web', 'web-secret'),
    stranger: urlOf('stranger', 'stranger-secret'),
  }
}

/** A copy of the brand without the words "sample text", which the doctor warns about. */
function brandWithoutSampleTexts(folder: string): string {
  const brand = join(folder, 'brand')
  cpSync(join(ROOT, 'brand'), brand, { recursive: true })
  for (const name of ['notice', 'states', 'consents']) {
    const file = join(brand, `legal/${name}.json`)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/sample text/gi, 'text'))
  }
  return brand
}

/** Creates a certificate authority, which the test trusts, and starts servers with its certificates. */
function certificateAuthority(folder: string) {
  const path = (name: string) => join(folder, name)
  const createCertificate = (...args: string[]) =>
    execFileSync('openssl', ['req', '-x509', ...KEY_OPTIONS, ...args], { stdio: 'ignore' })
  createCertificate('-subj', '/CN=Authority', '-keyout', path('ca.key'), '-out', path('ca.pem'))
  return {
    file: path('ca.pem'),
    pem: readFileSync(path('ca.pem'), 'utf8'),
    /** Serves a certificate for this name on localhost. Returns the address. */
    async serve(name: string, days: number, signedBy?: 'self-signed'): Promise<string> {
      const [key, cert] = [path(`${name}-${days}.key`), path(`${name}-${days}.pem`)]
      const issuer = signedBy ? [] : ['-CA', path('ca.pem'), '-CAkey', path('ca.key')]
      const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
      createCertificate(...issuer, ...names, '-days', String(days), '-keyout', key, '-out', cert)
      const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      afterFile(() => server.close())
      return `https://localhost:${(server.address() as AddressInfo).port}`
    },
  }
}
