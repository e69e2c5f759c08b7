import { once } from 'node:events'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

type Scanned = 'clean' | 'infected' | 'protected' | 'too_complex'

export interface Scanner {
  /** Throws ScannerDown if there is no valid response. */
  scan(path: string): Promise<Scanned>
}

export interface Clamd extends Scanner {
  alive(): Promise<boolean>
  /** When its signatures were published; undefined if it does not respond or has only own signatures. */
  signaturesFrom(): Promise<Date | undefined>
}

export class ScannerDown extends Error {
  override name = 'ScannerDown'
}

export interface ClamdOptions {
  /** Path of the socket, or `host:port`. */
  address: string
  /** For the whole scan. */
  timeoutMs?: number
  /** For the response to a command other than a scan. */
  commandTimeoutMs?: number
}

const SCAN_TIMEOUT_MS = 45_000
const COMMAND_TIMEOUT_MS = 2_000
const CHUNK_BYTES = 256 * 1024
const RESPONSE_MAX = 4 * 1024

/** Streams files to clamd, so that it needs no access to our disk. */
export function clamd({
  address,
  timeoutMs = SCAN_TIMEOUT_MS,
  commandTimeoutMs = COMMAND_TIMEOUT_MS,
}: ClamdOptions): Clamd {
  const responseTo = (command: string) => responseFrom(address, command, commandTimeoutMs)
  return {
    alive: async () => (await responseTo('PING')) === 'PONG',
    signaturesFrom: async () => {
      // ClamAV 1.4.3/27821/Mon Nov 16 09:26:51 2026
      const [, , date] = (await responseTo('VERSION'))?.split('/') ?? []
      const time = Date.parse(`${date} UTC`)
      return Number.isNaN(time) ? undefined : new Date(time)
    },
    async scan(path) {
      const file = await open(path)
      const socket = connectTo(address)
      const timer = setTimeout(() => socket.destroy(new Error('timeout')), timeoutMs)
      // An error shows as a missing response below.
      socket.on('error', () => undefined)
      try {
        const [response] = await Promise.all([readResponse(socket), send(socket, file)])
        return resultOf(response)
      } catch (cause) {
        throw cause instanceof ScannerDown ? cause : new ScannerDown('no response', { cause })
      } finally {
        clearTimeout(timer)
        socket.destroy()
        await file.close()
      }
    },
  }
}

async function responseFrom(
  address: string,
  command: string,
  timeoutMs: number,
): Promise<string | undefined> {
  const socket = connectTo(address)
  const timer = setTimeout(() => socket.destroy(new Error('timeout')), timeoutMs)
  socket.on('error', () => undefined)
  try {
    await once(socket, 'connect')
    socket.write(`z${command}\0`)
    return await readResponse(socket)
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

function connectTo(address: string): Socket {
  if (address.startsWith('/')) return connect(address)
  const at = address.lastIndexOf(':')
  return connect(Number(address.slice(at + 1)), address.slice(0, at))
}

async function send(socket: Socket, file: FileHandle): Promise<void> {
  await once(socket, 'connect')
  socket.write('zINSTREAM\0')
  for await (const chunk of file.createReadStream({
    highWaterMark: CHUNK_BYTES,
    autoClose: false,
  })) {
    // clamd refuses a file that is too large before its end, and stops reading.
    if (socket.destroyed || socket.readableEnded) return
    const { length } = chunk as Buffer
    socket.write(lengthOf(length))
    if (!socket.write(chunk as Buffer)) await drained(socket)
  }
  socket.write(lengthOf(0))
}

async function drained(socket: Socket): Promise<void> {
  const settled = new AbortController()
  const { signal } = settled
  await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })])
  settled.abort()
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}

async function readResponse(socket: Socket): Promise<string> {
  let response = ''
  for await (const chunk of socket.setEncoding('utf8')) {
    response += chunk as string
    if (response.includes('\0') || response.length > RESPONSE_MAX) break
  }
  return response.replace(/\0.*$/s, '')
}

function resultOf(response: string): Scanned {
  if (response === 'stream: OK') return 'clean'
  const [, found] = /^stream: (.+) FOUND$/.exec(response) ?? []
  if (found === undefined) throw new ScannerDown('scan failed')
  if (found.startsWith('Heuristics.Encrypted')) return 'protected'
  return found.startsWith('Heuristics.Limits') ? 'too_complex' : 'infected'
}
