import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Box } from './box.ts'
import { BoxSandboxClient } from './client.ts'
import { sdkFor } from './sdk.ts'

const MB = 1024 * 1024
const CHUNKS = 40
const CHUNK = Buffer.alloc(MB, 'Guidon')
const MAX_GROWTH = 32 * MB

// In a separate process, so that the measured memory does not include the client's. Only memory in
// use is measured: how much garbage waits for its collection depends on how busy the machine is.
const SCRIPT = `
  import { startBox } from './box.ts'
  const box = await startBox({ limits: { maxDirectUploadBytes: 100_000_000 } })
  let peak = 0
  function measure() {
    gc()
    gc() // frees the buffers that the first call found
    const { heapUsed, external } = process.memoryUsage()
    peak = Math.max(peak, heapUsed + external)
  }
  const timer = setInterval(measure, 200)
  process.on('message', () => {
    measure()
    process.send(peak)
  })
  process.on('disconnect', () => {
    clearInterval(timer)
    box.close()
  })
  process.send({ ...box })`

let child: ChildProcess
let box: Box

async function nextMessage<Message>(): Promise<Message> {
  return (await once(child, 'message'))[0] as Message
}

async function peakMemory(): Promise<number> {
  const peak = nextMessage<number>()
  child.send('measure')
  return peak
}

beforeEach(async () => {
  child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', SCRIPT], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  box = await nextMessage<Box>()
})

afterEach(async () => {
  const exited = once(child, 'exit')
  child.disconnect()
  await exited
})

async function* bytes() {
  for (let sent = 0; sent < CHUNKS; sent += 1) yield CHUNK
}

async function sha1Of(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha1')
  for await (const chunk of stream) hash.update(chunk)
  return hash.digest('hex')
}

it('uses less than 32 MB of memory to receive 40 MB directly and in parts, and to send them', async () => {
  const sdk = sdkFor(box)
  const sandbox = new BoxSandboxClient(box.url)
  await sandbox.addFile('0', 'warm-up.bin', CHUNK)
  const before = await peakMemory()

  const authorization = await sdk.auth.retrieveAuthorizationHeader(sdk.networkSession)
  async function* form() {
    const part = (name: string) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`
    const attributes = JSON.stringify({ name: 'direct.bin', parent: { id: '0' } })
    yield Buffer.from(`${part('attributes')}${attributes}\r\n${part('file')}`)
    yield* bytes()
    yield Buffer.from('\r\n--x--\r\n')
  }
  const response = await fetch(`${box.uploadUrl}/2.0/files/content`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'multipart/form-data; boundary=x' },
    body: form(),
    duplex: 'half',
  })
  expect(response.status).toBe(201)
  const size = CHUNKS * MB
  const { id } = await sdk.chunkedUploads.uploadBigFile(
    Readable.from(bytes()),
    'parts.bin',
    size,
    '0',
  )
  const sha1 = await sha1Of(bytes())
  expect(await sha1Of((await sdk.downloads.downloadFile(id)) as Readable)).toBe(sha1)
  const same = { size, sha1 }
  expect(await sandbox.files()).toMatchObject([{ name: 'warm-up.bin' }, same, same])

  expect((await peakMemory()) - before).toBeLessThan(MAX_GROWTH)
})
