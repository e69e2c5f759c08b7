import { once } from 'node:events'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

export type Scanned = 'clean' | 'infected' | 'protected' | 'too_complex'

export interface Scanner {
  /** Throws ScannerDown where it gives no answer. */
  scan(path: string): Promise<Scanned>
}

export interface Clamd extends Scanner {
  /** Whether it answers. */
  alive(): Promise<boolean>
}

export class ScannerDown extends Error {
  override name = 'ScannerDown'
}

export interface ClamdOptions {
  /** The path of its socket, or `host:port`. */
  address: string
  /** For the whole of a scan. */
  timeoutMs?: number
}

const USUAL_TIMEOUT_MS = 45_000
const ALIVE_WITHIN_MS = 2_000
const PIECE = 256 * 1024
const LONGEST_ANSWER = 4 * 1024

/** Sends the bytes to clamd, which need not see our disk. */
export function clamd({ address, timeoutMs = USUAL_TIMEOUT_MS }: ClamdOptions): Clamd {
  return {
    async alive() {
      const socket = connectTo(address)
      const timer = setTimeout(() => socket.destroy(new Error('too late')), ALIVE_WITHIN_MS)
      socket.on('error', () => undefined)
      try {
        await once(socket, 'connect')
        socket.write('zPING\0')
        return (await answerOf(socket)) === 'PONG'
      } catch {
        return false
      } finally {
        clearTimeout(timer)
        socket.destroy()
      }
    },
    async scan(path) {
      const file = await open(path)
      const socket = connectTo(address)
      const timer = setTimeout(() => socket.destroy(new Error('too late')), timeoutMs)
      // What goes wrong while nobody listens is told by the answer that does not come.
      socket.on('error', () => undefined)
      try {
        const [answer] = await Promise.all([answerOf(socket), send(socket, file)])
        return meaning(answer)
      } catch (cause) {
        throw cause instanceof ScannerDown ? cause : new ScannerDown('no answer', { cause })
      } finally {
        clearTimeout(timer)
        socket.destroy()
        await file.close()
      }
    },
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
  for await (const chunk of file.createReadStream({ highWaterMark: PIECE, autoClose: false })) {
    // It says no before the end where the file is too much for it, and then reads on no more.
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

async function answerOf(socket: Socket): Promise<string> {
  let answer = ''
  for await (const chunk of socket.setEncoding('utf8')) {
    answer += chunk as string
    if (answer.includes('\0') || answer.length > LONGEST_ANSWER) break
  }
  return answer.replace(/\0.*$/s, '')
}

function meaning(answer: string): Scanned {
  if (answer === 'stream: OK') return 'clean'
  const [, found] = /^stream: (.+) FOUND$/.exec(answer) ?? []
  if (found === undefined) throw new ScannerDown('it could not scan')
  if (found.startsWith('Heuristics.Encrypted')) return 'protected'
  return found.startsWith('Heuristics.Limits') ? 'too_complex' : 'infected'
}
