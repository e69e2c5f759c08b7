import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getDocuments, uploadDocument } from '@guidon/contract/documents'
import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { salesforceControl } from '@guidon/sandbox/salesforce/client'
import { startStack } from '@guidon/sandbox/stack/stack'
import type { Stack } from '@guidon/sandbox/stack/stack'
import { afterAll, expect, it } from 'vitest'
import { openDatabase, openPool } from '../../../api/src/db/database.ts'
import { expireUploads } from '../../../api/src/features/documents/resumable/expire-uploads.ts'
import { openJobQueues } from '../../../api/src/jobs/queues.ts'
import { createLog } from '../../../api/src/platform/log.ts'
import { limitedConcurrency } from '../../support/concurrency.ts'
import { connected } from '../../support/databases.ts'
import { hashOf, newFile } from '../../support/documents.ts'
import { NO_UPLOAD_QUOTA } from '../../support/no-upload-quota.ts'
import { newAccount } from '../../support/outside/account.ts'
import { signIn } from '../../support/sign-in.ts'
import { TestClient } from '../../support/test-client.ts'
import { UNSENT, waitUntilEmpty } from '../../support/wait-until-empty.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'
import { tusClient } from './tus-client.ts'

const ACCOUNT = newAccount()
const CONCURRENT_UPLOADS = 3

const dataDir = mkdtempSync(join(tmpdir(), 'guidon-killed-'))
const stack = await startStack({
  dataDir,
  mode: 'test',
  apis: 2,
  workers: 2,
  balancer: true,
  durable: true,
  accounts: [ACCOUNT],
  env: { WEB_DIR: '', CRM_POLL_SECONDS: '3600', ...NO_UPLOAD_QUOTA },
})
const sql = await connected(stack.urls.database)
const pool = openPool({
  url: stack.urls.database,
  size: 1,
  statementTimeoutMs: 0,
  onIdleError: () => {},
})
const db = openDatabase(pool)
const queues = await openJobQueues(pool, createLog('silent', 'test'))
afterAll(async () => {
  await queues.stop()
  await Promise.all([sql.end(), pool.end()])
  await stack.stop()
  rmSync(dataDir, { recursive: true, force: true })
})
const box = new BoxSandboxClient(stack.urls.box)
const salesforce = salesforceControl(stack.urls.salesforce)

const newSession = () =>
  signIn(
    new TestClient(stack.urls.portal, stack.urls.portal),
    ACCOUNT,
    new MailboxClient(stack.urls.mailbox),
  )

/** Kills and restarts the processes in turn until aborted; returns the number of kills. */
async function killRepeatedly(processes: Stack['api'], signal: AbortSignal): Promise<number> {
  let kills = 0
  while (!signal.aborted) {
    const process = processes[kills % processes.length]!
    await process.kill()
    kills += 1
    await process.start()
  }
  return kills
}

it('while processes are killed, every acknowledged upload is stored once and completely, and no upload partially', async () => {
  const client = await newSession()
  await Promise.all([
    box.fault({ mode: '500', times: 10 }),
    salesforce.fault({ mode: 'down', times: 10 }),
  ])
  const sendWhole = (file: ReturnType<typeof newFile>) =>
    client
      .upload(uploadDocument, file, { fields: { documentType: 'Other' } })
      .catch(() => ({ status: 0 }))
  const tus = tusClient({ bases: [stack.urls.portal], origin: stack.urls.portal, client })
  const sendInParts = async (file: ReturnType<typeof newFile>) => {
    const { status } = await tus.send(file.name, file.bytes)
    // The response to an earlier call may have been lost.
    return { status: status === 200 ? 201 : status }
  }
  const stopKilling = new AbortController()
  const killing = Promise.all(
    [stack.api, stack.workers].map((processes) => killRepeatedly(processes, stopKilling.signal)),
  )
  const tries = await limitedConcurrency(
    smallOrFull(15, 300),
    async (index) => {
      const file = newFile(index % 5 === 0 ? 4_000_000 : 100_000)
      const { status } = await (index % 3 === 2 ? sendInParts(file) : sendWhole(file))
      return { name: file.name, sha256: hashOf(file.bytes), status }
    },
    CONCURRENT_UPLOADS,
  )
  stopKilling.abort()
  const [apiKills, workerKills] = (await killing) as [number, number]
  const accepted = tries.filter(({ status }) => status === 201)
  const refused = tries.filter(({ status }) => status !== 201)

  // Skips the wait for the claims of killed workers, and the delay after failed rounds.
  await sql.query(
    'update crm_outbox set claimed_until = now(), retry_at = null where sent_at is null',
  )
  await sql.query('update crm_sender set next_round_at = now(), failures = 0')
  await waitUntilEmpty(sql, UNSENT, { timeout: smallOrFull(110_000, 600_000), interval: 500 })
  // What killed processes have left expires.
  const { rowCount: left } = await sql.query('update unfinished_uploads set expires_at = now()')
  await db.transaction().execute((tx) => queues.send(expireUploads, {}, tx))
  await waitUntilEmpty(sql, 'select from unfinished_uploads', { timeout: 60_000, interval: 500 })
  const files = await box.files()
  const storedAs = (name: string) => files.filter((file) => file.name === name)
  const complete = accepted.filter(({ name, sha256 }) => {
    const [file, ...more] = storedAs(name)
    return more.length === 0 && file?.versions.length === 1 && file.sha256 === sha256
  })
  // A response can be lost after the commit; such an upload must be complete as well.
  const partial = refused.filter(({ name, sha256 }) =>
    storedAs(name).some((file) => file.sha256 !== sha256),
  )
  const crmRows = await salesforce.rows<Record<string, string>>('Document_Request__c')
  const { body: listed } = await client.call(getDocuments, {})
  const { rows: chunks } = await sql.query('select from upload_chunks')
  figures('uploads while processes are killed', {
    uploads: tries.length,
    'requests of uploads in parts': tus.calls(),
    'unfinished rows that expired': left ?? 0,
    'APIs killed': apiKills,
    'workers killed': workerKills,
    acknowledged: accepted.length,
    'stored once and complete': complete.length,
    'stored in part': partial.length,
    'files, CRM rows, listed': `${files.length} ${crmRows.length} ${listed.length}`,
  })
  headline.sum({
    kills: apiKills + workerKills,
    acknowledged: accepted.length,
    'stored once and complete': complete.length,
    'stored in part': partial.length,
  })
  expect(accepted.length).toBeGreaterThan(0)
  expect(complete.length).toBe(accepted.length)
  expect(partial).toEqual([])
  expect(new Set([files.length, crmRows.length, listed.length]).size).toBe(1)
  expect(chunks).toHaveLength(0)
  const temporaryFiles = readdirSync(join(dataDir, 'uploads'))
  expect(temporaryFiles.length).toBeLessThanOrEqual(apiKills * CONCURRENT_UPLOADS)
})
