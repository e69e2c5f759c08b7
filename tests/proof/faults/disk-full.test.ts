import { appendFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { noSpaceForUploads } from '@guidon/contract/document-refusals'
import { uploadDocument } from '@guidon/contract/documents'
import { getIntake } from '@guidon/contract/intake'
import { expect, it, onTestFinished, vi } from 'vitest'
import { boot } from '../../support/boot.ts'
import { samplePdf, streamOf } from '../../support/files/made-pdf.ts'
import { smallDisk } from '../../support/small-disk.ts'
import { formOf } from '../../support/test-client.ts'
import { figures, headline } from '../figures.ts'
import { fullSizeOnly } from '../size.ts'
import { outcomeOf } from './failover-outcome.ts'
import { SIGNED_IN_ACCOUNTS } from './failover-traffic.ts'
import { startSupervisedProduct } from './supervised-product.ts'

const MB = 1_000_000
const DATABASE_DISK_MB = 400
/** How long the disk is full. Shorter than the 60 seconds that the simulated veterans wait for a sign-in code. */
const DISK_FULL_SECONDS = 30
const RECOVERY_LIMIT_SECONDS = 60
const WRITES_TO_WAIT_FOR = 20
const WAIT = { timeout: 60_000, interval: 10 }

// Both tests need root, to mount a small disk.
it(
  'with a full upload folder, uploads are refused with a message, the API stays ready, and no partial file is left',
  fullSizeOnly,
  async () => {
    const { path: disk, remove } = smallDisk(160)
    onTestFinished(remove)
    const uploads = join(disk, 'uploads')
    const filler = join(disk, 'filler')
    const testApp = await boot({ environment: { UPLOAD_DIR: uploads } })
    const client = await testApp.signedIn(await testApp.account())
    const file = (name: string) => ({ name, bytes: samplePdf(1, streamOf('x'.repeat(5 * MB))) })
    const fields = { documentType: 'Other' }
    const send = (name: string) => client.upload(uploadDocument, file(name), { fields })
    /** The disk becomes full after half of the file. */
    const sendWhileDiskFills = async (name: string) => {
      const form = new Response(formOf(file(name), fields))
      const bytes = await form.bytes()
      const half = Math.floor(bytes.length / 2)
      async function* body() {
        yield bytes.subarray(0, half)
        await vi.waitUntil(() => filesIn(uploads).some(({ size }) => size > 0), WAIT)
        fill(filler)
        yield bytes.subarray(half)
      }
      const contentType = form.headers.get('content-type')!
      return client.send('POST', uploadDocument.path, body(), { 'content-type': contentType })
    }
    await vi.waitUntil(async () => (await client.send('GET', '/readyz')).status === 200, WAIT)

    const readiness: number[] = []
    const end = new AbortController()
    const watching = (async () => {
      while (!end.signal.aborted) readiness.push((await client.send('GET', '/readyz')).status)
    })()
    const refused = [await sendWhileDiskFills('half.pdf')]
    refused.push(...(await Promise.all(['a.pdf', 'b.pdf', 'c.pdf'].map(send))))
    end.abort()
    await watching
    const left = readdirSync(uploads)
    const { rows } = await testApp.sql.query('select from uploads union all select from documents')
    rmSync(filler)
    const { status } = await send('a.pdf')
    figures('full upload folder', {
      responses: refused.map((response) => response.status).join(' '),
      'readiness checks': readiness.length,
      'not ready': readiness.filter((each) => each !== 200).length,
      'partial files': left.length,
      'rows left': rows.length,
      'status with free space': status,
    })
    headline.sum({ 'files left': left.length })
    for (const response of refused) {
      expect(response).toMatchObject({ status: 503, body: { message: noSpaceForUploads.message } })
      expect(response.headers.get('retry-after')).toBe('30')
    }
    expect(new Set(readiness)).toEqual(new Set([200]))
    expect(left).toEqual([])
    expect(rows).toEqual([])
    expect(status).toBe(201)
  },
)

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)))

/** Writes until nothing fits any more. */
function fill(path: string): void {
  for (const bytes of [MB, 1_000]) {
    const piece = Buffer.alloc(bytes)
    try {
      for (;;) appendFileSync(path, piece)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}

it(
  'while the disk of PostgreSQL is full, writes are refused and reads succeed, unless PostgreSQL exits; afterwards writes succeed, and nothing acknowledged is lost',
  fullSizeOnly,
  async () => {
    await using parts = new AsyncDisposableStack()
    const disk = smallDisk(DATABASE_DISK_MB)
    parts.defer(() => disk.remove())
    const { postgres, stack, traffic, unexpectedExits, uploadDir } = await startSupervisedProduct(
      parts,
      { accounts: SIGNED_IN_ACCOUNTS + 60, databaseDir: join(disk.path, 'postgres') },
    )
    const { tally } = traffic
    await tally.untilNewWrites(WRITES_TO_WAIT_FOR)
    const supervision = new AbortController()
    const supervised = postgres.keepRunning(supervision.signal)
    parts.defer(() => supervision.abort())

    const filler = join(disk.path, 'filler')
    fill(filler)
    const reader = traffic.sessions[0]!.client
    const readiness: number[] = []
    const reads: number[] = []
    const checkEffect = async () => {
      readiness.push((await fetch(`${stack.urls.api[0]}/readyz`)).status)
      reads.push((await reader.call(getIntake, {})).status)
      return readiness.includes(503) || tally.refused > 0
    }
    await vi.waitUntil(checkEffect, { timeout: 120_000, interval: 500 })
    for (let second = 0; second < DISK_FULL_SECONDS; second += 1) {
      // PostgreSQL frees space when it removes files during its recovery.
      fill(filler)
      await checkEffect()
      await delay(1_000)
    }
    const refused = tally.refused
    rmSync(filler)
    const freedAt = performance.now()
    await tally.untilNewWrites(WRITES_TO_WAIT_FOR)
    const recoverySeconds = Math.round((performance.now() - freedAt) / 100) / 10
    await traffic.end()
    supervision.abort()
    const databaseExits = await supervised
    const outcome = await outcomeOf(traffic, stack, postgres.url)
    const left = readdirSync(uploadDir)
    const { status: readyAfterwards } = await fetch(`${stack.urls.api[0]}/readyz`)
    const failed = (statuses: readonly number[]) => statuses.filter((each) => each !== 200).length
    const [notReady, failedReads] = [failed(readiness), failed(reads)]
    figures('full disk of PostgreSQL', {
      'acknowledged writes': tally.writes.length,
      'refused with 503': refused,
      'readiness checks': readiness.length,
      'not ready': notReady,
      'reads that failed': failedReads,
      'exits of PostgreSQL': databaseExits,
      'seconds from free space until writes are accepted': recoverySeconds,
      missing: JSON.stringify(outcome.missing),
      doubled: JSON.stringify(outcome.doubled),
      'signed out': outcome.signedOut + tally.signedOut,
      'files left': left.length,
    })
    headline.sum({
      'acknowledged writes': tally.writes.length,
      'kinds of writes lost or doubled': outcome.missing.length + outcome.doubled.length,
      'files left': left.length,
    })
    headline.max({ 'seconds until writes succeed': recoverySeconds })
    expect(tally.failures).toEqual({})
    expect(unexpectedExits).toEqual([])
    expect(refused).toBeGreaterThan(0)
    const outage = databaseExits > 0
    expect(outage ? 0 : notReady + failedReads).toBe(0)
    expect(readyAfterwards).toBe(200)
    expect(outcome).toMatchObject({ missing: [], doubled: [], signedOut: 0 })
    expect(outcome.auditChain.broken).toBeUndefined()
    expect(left).toEqual([])
    expect(recoverySeconds).toBeLessThan(RECOVERY_LIMIT_SECONDS)
  },
)
