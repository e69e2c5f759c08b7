import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DOCUMENT_MAX_BYTES } from '@guidon/contract/document-refusals'
import { EICAR, startClamd } from '@guidon/tests/files/clamd'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ScannerDown, clamd } from './clamd.ts'

let folder: string
let small: string
let large: string
let server: Server | undefined

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'guidon-scan-'))
  small = join(folder, 'small')
  large = join(folder, 'large')
  writeFileSync(small, 'some bytes')
  writeFileSync(large, Buffer.alloc(20_000_000, 'abc'))
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => server?.close())

async function listening(respond: (socket: Socket) => void): Promise<string> {
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    respond(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the scanner', () => {
  it('distinguishes clean from infected files, including large files', async () => {
    const realScanner = await startClamd()
    const scanner = clamd(realScanner)
    expect(await scanner.scan(small)).toBe('clean')
    expect(await scanner.scan(large)).toBe('clean')
    writeFileSync(join(folder, 'bad'), Buffer.concat([Buffer.alloc(20_000_000, 'abc'), EICAR]))
    expect(await scanner.scan(join(folder, 'bad'))).toBe('infected')
    await realScanner.close()
    await expect(scanner.scan(small)).rejects.toThrow(ScannerDown)
  })

  it('scans a file of the largest size with the deployed settings', async () => {
    const deployed = readFileSync(resolve(import.meta.dirname, '../../../../deploy/clamd.conf'))
    // The test server has its own folder, socket and user.
    const elsewhere = /^(#|LocalSocket|TCP|DatabaseDirectory|TemporaryDirectory|User)/
    const settings = String(deployed)
      .split('\n')
      .filter((line) => line !== '' && !elsewhere.test(line))
    expect(settings).toContain('ScanImageFuzzyHash no')
    const realScanner = await startClamd(settings)
    try {
      const full = join(folder, 'full')
      writeFileSync(
        full,
        Buffer.concat([Buffer.alloc(DOCUMENT_MAX_BYTES - EICAR.length, 'abc'), EICAR]),
      )
      expect(await clamd(realScanner).scan(small)).toBe('clean')
      expect(await clamd(realScanner).scan(full)).toBe('infected')
    } finally {
      await realScanner.close()
    }
  })

  it('reports when its signatures were published', async () => {
    const publishedAt = new Date('2026-11-09T08:26:51Z')
    const withDate = await startClamd([], undefined, publishedAt)
    const withoutDate = await startClamd()
    try {
      expect(await clamd(withDate).signaturesFrom()).toEqual(publishedAt)
      expect(await clamd(withoutDate).signaturesFrom()).toBeUndefined()
    } finally {
      await Promise.all([withDate.close(), withoutDate.close()])
    }
    expect(await clamd(withDate).signaturesFrom()).toBeUndefined()
  })

  it('counts as down if it does not accept the whole file', async () => {
    const address = await listening((socket) => {
      // clamd does this if its limit is smaller than ours.
      socket.once('data', () => socket.end('INSTREAM size limit exceeded. ERROR\0').pause())
    })
    await expect(clamd({ address }).scan(large)).rejects.toThrow(ScannerDown)
  })

  it.each([
    ['stream: Win.Test.EICAR_HDB-1 FOUND\0', 'infected'],
    ['stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND\0', 'too_complex'],
    ['stream: Heuristics.Encrypted.PDF FOUND\0', 'protected'],
    ['stream: OK\0', 'clean'],
  ])('translates the response %j to %s', async (response, result) => {
    const address = await listening((socket) => socket.end(response))
    expect(await clamd({ address }).scan(small)).toBe(result)
  })

  it.each([
    ['with nothing', (socket: Socket) => socket.end()],
    ['with half a response', (socket: Socket) => socket.end('stream: O')],
    ['with an error', (socket: Socket) => socket.end('stream: OK is not the answer ERROR\0')],
    ['with something else', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nstream: OK')],
    ['with a clean result after an error', (socket: Socket) => socket.end('x ERROR\nstream: OK\0')],
    ['without end', (socket: Socket) => socket.write('x'.repeat(100_000))],
    ['by closing the connection', (socket: Socket) => socket.destroy()],
  ])('counts as down if it responds %s', async (_, respond) => {
    const address = await listening(respond)
    await expect(clamd({ address, timeoutMs: 2_000 }).scan(large)).rejects.toThrow(ScannerDown)
  })

  it('counts as down if it never responds, or never reads', async () => {
    const reading = await listening((socket) => socket.resume())
    await expect(clamd({ address: reading, timeoutMs: 100 }).scan(small)).rejects.toThrow(
      ScannerDown,
    )
    server?.close()
    const notReading = await listening((socket) => socket.pause())
    await expect(clamd({ address: notReading, timeoutMs: 100 }).scan(large)).rejects.toThrow(
      ScannerDown,
    )
  })

  it('does not count as down for a missing file', async () => {
    const address = await listening((socket) => socket.resume())
    await expect(clamd({ address }).scan(join(folder, 'none'))).rejects.toThrow(/ENOENT/)
  })
})
