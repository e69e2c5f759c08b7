import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cannotCheckFiles, fileUnreadable } from '@guidon/contract/document-refusals'
import { startChecker } from '@guidon/tests/files/checker'
import { samplePdf } from '@guidon/tests/files/made-pdf'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { incoming, question, QUESTION_MAX_BYTES, send } from '../../checker/protocol.ts'
import { checkFile } from './check-file.ts'
import { checkers } from './checkers.ts'

const folder = mkdtempSync(join(tmpdir(), 'guidon-checkers-'))
afterAll(() => rmSync(folder, { recursive: true }))
const pdf = join(folder, 'pdf')
await (async () => {
  await using file = await open(pdf, 'w')
  await file.write(samplePdf())
})()

const real = await startChecker()
afterAll(() => real.close())
const scanner = { scan: async () => 'clean' as const }
const waits = { readyMs: 300, totalMs: 3_000 }
const check = (...addresses: string[]) =>
  checkFile(pdf, { scanner, checkers: checkers(addresses, waits) })

type Reply = (socket: Socket, received: { file(): Promise<void> }) => void | Promise<void>

/** A checker that breaks the rules. */
async function faultyChecker(reply: Reply): Promise<string> {
  const address = join(folder, `${Math.random()}.sock`)
  const respond = async (socket: Socket) => {
    socket.on('error', () => {})
    const from = incoming(socket)
    const asked = await from.message(question, QUESTION_MAX_BYTES)
    const size = asked.ask === 'inspect' ? asked.size : 0
    await reply(socket, {
      async file() {
        await from.bytes(size, () => {})
      },
    })
  }
  const server = createServer((socket) => void respond(socket).catch(() => {}))
  server.listen(address)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return address
}

const accepted = { outcome: 'inspected', inspection: { kind: 'pdf', flags: [] } }

const faults: Record<string, Reply> = {
  'never says that it is ready': () => {},
  'is busy': (socket) => send(socket, { ready: false }),
  'never gives a result': async (socket, { file }) => {
    send(socket, { ready: true })
    await file()
  },
  'dies in the middle of the file': (socket) => {
    send(socket, { ready: true })
    socket.destroy()
  },
  'dies in the middle of its answer': async (socket, { file }) => {
    send(socket, { ready: true })
    await file()
    socket.end(Buffer.from([0, 0, 0, 50, 123]))
  },
  'answers without end': async (socket, { file }) => {
    send(socket, { ready: true })
    await file()
    const piece = Buffer.alloc(1024 * 1024, '{')
    const more = () => socket.writable && socket.write(piece, more)
    more()
  },
  'answers with something else': async (socket, { file }) => {
    send(socket, { ready: true })
    await file()
    send(socket, { ...accepted, secrets: [] })
  },
}

it.each(Object.entries(faults))(
  'a file is refused for now by a checker that %s, and goes to another one if there is one',
  async (_, reply) => {
    const faulty = await faultyChecker(reply)
    expect(await check(faulty)).toEqual({ refusal: cannotCheckFiles })
    // Whichever of them has its turn.
    const both = checkers([faulty, real.address], { readyMs: 300, totalMs: 20_000 })
    if (reply === faults['never gives a result']) return
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await checkFile(pdf, { scanner, checkers: both })).toEqual({ kind: 'pdf', flags: [] })
    }
  },
)

it('a file is checked while one of two checkers is dead, and refused for now while both are', async () => {
  const nobody = join(folder, 'nobody.sock')
  const both = checkers([nobody, real.address])
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await checkFile(pdf, { scanner, checkers: both })).toEqual({ kind: 'pdf', flags: [] })
  }
  expect((await both.bounds()).map((bounds) => bounds !== undefined)).toEqual([false, true])
  await real.process.kill()
  expect(await checkFile(pdf, { scanner, checkers: both })).toEqual({ refusal: cannotCheckFiles })
  await real.process.start()
  expect(await checkFile(pdf, { scanner, checkers: both })).toEqual({ kind: 'pdf', flags: [] })
})

it('a file that was ended by a limit is damaged; parts outside of the file are an error', async () => {
  const answering = (answer: object) =>
    faultyChecker(async (socket, { file }) => {
      send(socket, { ready: true })
      await file()
      send(socket, answer)
    })
  expect(await check(await answering({ outcome: 'ended by a limit' }))).toEqual({
    refusal: fileUnreadable,
  })
  const clean = { head: [], ranges: [[0, 100_000_000]] }
  const outside = { outcome: 'inspected', inspection: { kind: 'jpeg', flags: [], clean } }
  await expect(check(await answering(outside))).rejects.toThrow('wrong ranges')
})
