import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { samplePdf } from '@guidon/tests/files/made-pdf'
import { afterAll, expect, it } from 'vitest'
import { createLog } from '../platform/log.ts'
import { inspectScript } from './inspect-script.ts'
import { ANSWER_MAX_BYTES, incoming, readiness, result } from './protocol.ts'
import { serveChecks } from './server.ts'

const folder = mkdtempSync(join(tmpdir(), 'guidon-served-'))
const socket = join(folder, 'checker.sock')
const bounds = { files: true, connections: true, processes: true, signals: false }
const inspector = { script: await inspectScript(), isConfined: true }
const server = await serveChecks({ socket, inspector, bounds, log: createLog('silent', 'test') })
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const message = (text: string, length = Buffer.byteLength(text)) => {
  const header = Buffer.alloc(4)
  header.writeUInt32BE(length)
  return Buffer.concat([header, Buffer.from(text)])
}
const inspectQuestion = (size: number) =>
  message(JSON.stringify({ ask: 'inspect', kind: 'pdf', size, priority: 0 }))

it('inspects a file that arrives byte by byte', async () => {
  const pdf = samplePdf()
  const client = connect(socket).setNoDelay(true)
  const from = incoming(client)
  for (const byte of Buffer.concat([inspectQuestion(pdf.length), pdf])) {
    client.write(Buffer.from([byte]))
    await new Promise(setImmediate)
  }
  expect(await from.message(readiness, ANSWER_MAX_BYTES)).toEqual({ ready: true })
  expect(await from.message(result, ANSWER_MAX_BYTES)).toEqual({
    outcome: 'inspected',
    inspection: { kind: 'pdf', flags: [] },
  })
})

it.each([
  ['is longer than a question may be', message('', 1_025)],
  ['is no JSON', message('{"ask":')],
  ['asks for something unknown', message('{"ask":"secrets"}')],
  ['announces more than a file may have', inspectQuestion(100 * 1024 * 1024 + 1)],
  ['has more fields', message('{"ask":"bounds","path":"/etc/passwd"}')],
])('closes a connection whose question %s', async (_, bytes) => {
  const client = connect(socket)
  client.write(bytes)
  const answered: Buffer[] = []
  client.on('data', (data) => answered.push(data))
  await once(client, 'close')
  expect(answered).toEqual([])
})

it('closes a connection that ends before the end of the file, and serves the next', async () => {
  const client = connect(socket)
  client.end(Buffer.concat([inspectQuestion(1_000), Buffer.from('%PDF-')]))
  const from = incoming(client)
  expect(await from.message(readiness, ANSWER_MAX_BYTES)).toEqual({ ready: true })
  await expect(from.message(result, ANSWER_MAX_BYTES)).rejects.toThrow('ended early')
  const next = connect(socket)
  next.write(message('{"ask":"bounds"}'))
  expect(String((await once(next, 'data'))[0])).toContain('"signals":false')
  next.destroy()
})
