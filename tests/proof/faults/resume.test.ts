import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UNFINISHED_MAX } from '@guidon/contract/resumable-uploads'
import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { startStack } from '@guidon/sandbox/stack/stack'
import { afterAll, expect, it, vi } from 'vitest'
import { concurrently } from '../../support/concurrency.ts'
import { connected } from '../../support/databases.ts'
import { hashOf, newFile } from '../../support/documents.ts'
import { NO_UPLOAD_QUOTA } from '../../support/no-upload-quota.ts'
import { newAccount } from '../../support/outside/account.ts'
import { startCuttingProxy } from '../../support/outside/cutting-proxy.ts'
import { signIn } from '../../support/sign-in.ts'
import { TestClient } from '../../support/test-client.ts'
import { waitUntilEmpty } from '../../support/wait-until-empty.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'
import { tusClient } from './tus-client.ts'

const MB = 1_000_000
const CUT_AFTER_BYTES = smallOrFull(3, 1.5) * MB
const VETERANS = smallOrFull(2, 7)
const ACCOUNTS = Array.from({ length: VETERANS }, () => newAccount())

const dataDir = mkdtempSync(join(tmpdir(), 'guidon-resume-'))
const stack = await startStack({
  dataDir,
  mode: 'test',
  apis: 2,
  workers: 1,
  durable: true,
  accounts: ACCOUNTS,
  env: { WEB_DIR: '', CRM_POLL_SECONDS: '3600', ...NO_UPLOAD_QUOTA },
})
const sql = await connected(stack.urls.database)
const box = new BoxSandboxClient(stack.urls.box)
afterAll(async () => {
  await sql.end()
  await stack.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const origin = stack.urls.portal
const bases = stack.urls.api
const clients = await concurrently(VETERANS, async (index) => {
  const client = new TestClient(bases[0]!, origin)
  return signIn(client, ACCOUNTS[index]!, new MailboxClient(stack.urls.mailbox))
})

const fileOf = (megabytes: number) => {
  const file = newFile((megabytes * MB * 3) / 4)
  return { ...file, sha256: hashOf(file.bytes) }
}

/** Waits until the file store has everything, and returns how many of the files are whole and there once. */
async function countWhole(sent: readonly { name: string; sha256: string }[]): Promise<number> {
  await waitUntilEmpty(sql, 'select from uploads where stored_at is null', {
    timeout: smallOrFull(100_000, 1_200_000),
  })
  const files = await box.files()
  return sent.filter(({ name, sha256 }) => {
    const [file, ...more] = files.filter((stored) => stored.name === name)
    return more.length === 0 && file?.versions.length === 1 && file.sha256 === sha256
  }).length
}

const countLeft = async () =>
  (
    await sql.query(
      `select from unfinished_uploads where document_id is null union all select from upload_chunks`,
    )
  ).rowCount

it('a file arrives whole and once although every connection is cut in the middle of a part', async () => {
  const proxies = await Promise.all(
    bases.map((base) =>
      startCuttingProxy({
        targetPort: Number(new URL(base).port),
        cutAfterBytes: () => CUT_AFTER_BYTES * (0.5 + Math.random()),
        bytesPerSecond: smallOrFull(10, 5) * MB,
      }),
    ),
  )
  const client = tusClient({
    bases: proxies.map(({ port }) => `http://127.0.0.1:${port}`),
    origin,
    client: clients[0]!,
  })
  const file = fileOf(smallOrFull(16, 60))
  const { status } = await client.send(file.name, file.bytes)
  await Promise.all(proxies.map((proxy) => proxy.down()))
  const cuts = proxies.reduce((sum, proxy) => sum + proxy.cuts, 0)
  const [whole, left] = [await countWhole([file]), await countLeft()]
  figures('cut connections', {
    megabytes: Math.round(file.bytes.length / MB),
    cuts,
    requests: client.calls(),
    whole,
    left: left ?? 0,
  })
  headline.sum({ files: 1, cuts, whole, left: left ?? 0 })
  expect([200, 201]).toContain(status)
  expect(cuts).toBeGreaterThan(1)
  expect({ whole, left }).toEqual({ whole: 1, left: 0 })
})

it('files of many sizes at once arrive whole and once over two processes, one of which is killed twice', async () => {
  const files = Array.from({ length: Math.min(VETERANS * UNFINISHED_MAX, 20) }, (_, index) =>
    fileOf(smallOrFull(5 + (index % 3), 5 + index * 5)),
  )
  const running = new Set(files)
  const sending = concurrently(files.length, async (index) => {
    const file = files[index]!
    const client = clients[index % VETERANS]!
    const { status } = await tusClient({ bases, origin, client }).send(file.name, file.bytes)
    running.delete(file)
    return status
  })
  let killed = 0
  for (; killed < 2 && running.size > 0; killed += 1) {
    const { rows } = await sql.query<{ received: string }>(
      'select sum(received) as received from unfinished_uploads',
    )
    const before = Number(rows[0]!.received)
    await vi.waitUntil(
      async () => {
        const now = await sql.query<{ received: string }>(
          'select sum(received) as received from unfinished_uploads',
        )
        return running.size === 0 || Number(now.rows[0]!.received) > before
      },
      { timeout: 60_000, interval: 20 },
    )
    await stack.api[1]!.kill()
    await stack.api[1]!.start()
  }
  const statuses = await sending
  const [whole, left] = [await countWhole(files), await countLeft()]
  figures('files at once', {
    files: files.length,
    megabytes: Math.round(files.reduce((sum, { bytes }) => sum + bytes.length, 0) / MB),
    killed,
    whole,
    left: left ?? 0,
  })
  headline.sum({ files: files.length, whole, left: left ?? 0 })
  expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([])
  expect(killed).toBe(2)
  expect({ whole, left }).toEqual({ whole: files.length, left: 0 })
})
