import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uploadDocument } from '@guidon/contract/documents'
import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import { startClamd } from '@guidon/sandbox/clamd'
import { HaCluster } from '@guidon/sandbox/ha/ha-cluster'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { startPostgres } from '@guidon/sandbox/postgres'
import { salesforceControl } from '@guidon/sandbox/salesforce/client'
import { startStack } from '@guidon/sandbox/stack/stack'
import { Client } from 'pg'
import { samplePdf } from '../../support/files/made-pdf.ts'
import { newAccount } from '../../support/outside/account.ts'
import { signIn } from '../../support/sign-in.ts'
import { TestClient } from '../../support/test-client.ts'
import { startAlertExporters } from './alert-exporters.ts'

const VETERANS = 40

export type AlertStack = Awaited<ReturnType<typeof startAlertStack>>

export interface AlertFault {
  cause(alertStack: AlertStack): Promise<unknown>
  /** Repeated until the alert fires. */
  repeat?(alertStack: AlertStack): Promise<unknown>
  repair(alertStack: AlertStack): Promise<unknown>
}

/** The product as processes, with control over every part that an alert watches. */
export async function startAlertStack() {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-alerts-'))
  const dataDir = join(folder, 'postgres')
  let postgres = await startPostgres({ dataDir, durable: false })
  const database = await postgres.createDatabase('guidon')
  const socket = join(folder, 'clamd.sock')
  let scanner = await startClamd([], undefined, new Date())
  symlinkSync(scanner.address, socket)
  const web = join(folder, 'web')
  mkdirSync(web)
  writeFileSync(join(web, 'index.html'), '<head><!--guidon:brand--></head>')
  const exporters = await startAlertExporters()
  const cluster = await HaCluster.start({ nodes: 2, etcds: 1 })
  const veterans = Array.from({ length: VETERANS }, () => newAccount())
  const stack = await startStack({
    dataDir: join(folder, 'stack'),
    mode: 'test',
    databaseUrl: database,
    metrics: true,
    accounts: veterans,
    env: {
      WEB_DIR: web,
      CRM_CHECK_SECONDS: '1',
      CLAMD_ADDRESS: socket,
      CRM_POLL_SECONDS: '2',
      HASH_CONCURRENCY: '1',
      HASH_QUEUE: '2',
    },
  })
  const mailbox = new MailboxClient(stack.urls.mailbox)
  const veteran = () => veterans.pop()!
  const newClient = () => new TestClient(stack.urls.portal, stack.urls.portal)

  return {
    stack,
    exporters,
    cluster,
    mailbox,
    box: new BoxSandboxClient(stack.urls.box),
    salesforce: salesforceControl(stack.urls.salesforce),
    veteran,
    newClient,
    signedIn: (account = veteran()) => signIn(newClient(), account, mailbox),
    async upload(client: TestClient, name = `${randomUUID()}.pdf`) {
      const bytes = samplePdf(1)
      const fields = { documentType: 'Other' }
      const { status } = await client.upload(uploadDocument, { name, bytes }, { fields })
      if (status !== 201) throw new Error(`the upload returned ${status}`)
      return { name, bytes }
    },
    /** Runs a statement as the operator and returns the number of rows. */
    async sql(text: string): Promise<number> {
      const client = new Client({ connectionString: database })
      await client.connect()
      try {
        return (await client.query(text)).rowCount ?? 0
      } finally {
        await client.end()
      }
    },
    /** Runs a statement and keeps its connection, with its locks, until the returned function is called. */
    async hold(text: string): Promise<() => Promise<void>> {
      const client = new Client({ connectionString: database })
      // The connection ends if the database stops meanwhile; the tests detect that.
      client.on('error', () => undefined)
      await client.connect()
      await client.query(text)
      return () => client.end()
    },
    stopDatabase: () => postgres.stop(),
    async startDatabase() {
      postgres = await startPostgres({ dataDir, port: postgres.port, durable: false })
    },
    stopScanner: () => scanner.close(),
    async startScanner(signaturesFrom = new Date()) {
      scanner = await startClamd([], undefined, signaturesFrom)
      unlinkSync(socket)
      symlinkSync(scanner.address, socket)
    },
    async close() {
      await stack.stop()
      await exporters.close()
      await cluster.drop()
      await scanner.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
