import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { login, verifyLogin } from '@guidon/contract/auth'
import { UNFINISHED_MAX } from '@guidon/contract/resumable-uploads'
import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { startStack } from '@guidon/sandbox/stack/stack'
import { afterAll, expect, it, vi } from 'vitest'
import { concurrently } from '../../support/concurrency.ts'
import { connected } from '../../support/databases.ts'
import { samplePdf, streamOf } from '../../support/files/made-pdf.ts'
import { NO_UPLOAD_QUOTA } from '../../support/no-upload-quota.ts'
import { TestClient } from '../../support/test-client.ts'
import { figures, smallOrFull } from '../size.ts'
import { tusClient } from './tus-client.ts'

const MB = 1_000_000
const VETERANS = smallOrFull(2, 7)
const ACCOUNTS = Array.from({ length: VETERANS }, () => ({
  email: `${randomUUID()}@example.com`,
  password: 'Harbor-Lantern-42!',
  firstName: 'James',
  lastName: 'Whitfield',
  phone: '6195550134',
  state: 'California',
  role: 'USER' as const,
}))

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
  const account = ACCOUNTS[index]!
  const client = new TestClient(bases[0]!, origin)
  await client.call(login, { body: account })
  const code = await new MailboxClient(stack.urls.mailbox).codeFor(account.email)
  await client.call(verifyLogin, { body: { email: account.email, code } })
  return client
})

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const newFile = (megabytes: number) => {
  const noise = randomBytes((megabytes * MB * 3) / 4).toString('base64')
  const bytes = samplePdf(1, streamOf(noise))
  return { name: `${randomUUID()}.pdf`, bytes, sha256: hashOf(bytes) }
}

/** Passes some megabytes a second, and cuts every connection a moment after its first byte. */
async function startCuttingProxy(targetPort: number, cutMs: number, bytesPerMs: number) {
  let cuts = 0
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1')
    const close = () => {
      client.destroy()
      target.destroy()
    }
    const cut = () => {
      if (!client.destroyed) cuts += 1
      close()
    }
    client.once('data', () => setTimeout(cut, cutMs * (0.5 + Math.random())))
    client.on('data', (bytes) => {
      target.write(bytes)
      client.pause()
      setTimeout(() => client.resume(), bytes.length / bytesPerMs)
    })
    target.pipe(client)
    for (const socket of [client, target] as Socket[]) socket.on('error', close).on('close', close)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    close: () => server.close(),
  }
}

/** Waits until the file store has everything, and returns how many of the files are whole and there once. */
async function countWhole(sent: readonly { name: string; sha256: string }[]): Promise<number> {
  await vi.waitUntil(
    async () => (await sql.query('select from uploads where stored_at is null')).rowCount === 0,
    { timeout: smallOrFull(100_000, 1_200_000), interval: 200 },
  )
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

it('a file arrives whole and once although every connection is cut after some hundred milliseconds', async () => {
  const proxies = await Promise.all(
    bases.map((base) =>
      startCuttingProxy(Number(new URL(base).port), 300, smallOrFull(10, 5) * 1_000),
    ),
  )
  const client = tusClient({ bases: proxies.map(({ base }) => base), origin, client: clients[0]! })
  const file = newFile(smallOrFull(8, 60))
  const { status } = await client.send(file.name, file.bytes)
  for (const proxy of proxies) proxy.close()
  const cuts = proxies.reduce((sum, proxy) => sum + proxy.cuts(), 0)
  const [whole, left] = [await countWhole([file]), await countLeft()]
  figures('cut connections', {
    megabytes: Math.round(file.bytes.length / MB),
    cuts,
    requests: client.calls(),
    whole,
    left: left ?? 0,
  })
  expect([200, 201]).toContain(status)
  expect(cuts).toBeGreaterThan(1)
  expect({ whole, left }).toEqual({ whole: 1, left: 0 })
})

it('files of many sizes at once arrive whole and once over two processes, one of which is killed twice', async () => {
  const files = Array.from({ length: Math.min(VETERANS * UNFINISHED_MAX, 20) }, (_, index) =>
    newFile(smallOrFull(5 + (index % 3), 5 + index * 5)),
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
  expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([])
  expect(killed).toBe(2)
  expect({ whole, left }).toEqual({ whole: files.length, left: 0 })
})
