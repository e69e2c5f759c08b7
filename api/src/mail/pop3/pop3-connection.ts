import type { Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'

interface Limits {
  signal: AbortSignal
  /** For each reply. */
  replyMs: number
  bytesMax: number
}

export interface Pop3Connection {
  /** Reads a reply of one line. Throws if the server refuses. */
  reply(): Promise<string>
  command(text: string): Promise<string>
  /** The lines of a reply until a single dot. Undefined if it exceeds the limits, which also closes the connection. */
  lines(text: string): Promise<string | undefined>
  isOpen(): boolean
  close(): void
}

class LimitExceeded extends Error {
  override name = 'LimitExceeded'
}

export function pop3Connection(
  socket: Socket,
  { signal, replyMs, bytesMax }: Limits,
): Pop3Connection {
  addAbortSignal(signal, socket.setEncoding('latin1'))
  // The reason is thrown by the read that waits for it.
  socket.on('error', () => {})
  let bytes = 0
  const stop = () => socket.destroy(new LimitExceeded('the reply of the mailbox does not end'))
  const received = splitLines(socket, (chunk) => {
    bytes += chunk.length
    if (bytes > bytesMax) stop()
  })

  const withLimits = async (read: () => Promise<string>): Promise<string> => {
    bytes = 0
    const timer = setTimeout(stop, replyMs)
    try {
      return await read()
    } finally {
      clearTimeout(timer)
    }
  }
  const line = async (): Promise<string> => {
    const next = await received.next()
    if (next.done) throw new Error('the mailbox closed the connection')
    return next.value
  }
  const status = async (): Promise<string> => {
    const text = await line()
    // The reply may contain the address, which is not logged.
    if (!text.startsWith('+OK')) throw new Error('the mailbox refused a command')
    return text
  }
  const send = (text: string): void => {
    if (/[\r\n]/.test(text)) throw new Error('a command must be one line')
    socket.write(`${text}\r\n`)
  }
  const untilDot = async (): Promise<string> => {
    await status()
    const lines: string[] = []
    for (let next = await line(); next !== '.'; next = await line()) {
      lines.push(next.startsWith('.') ? next.slice(1) : next)
    }
    return lines.join('\n')
  }

  return {
    reply: () => withLimits(status),
    command: (text) => {
      send(text)
      return withLimits(status)
    },
    lines: async (text) => {
      send(text)
      try {
        return await withLimits(untilDot)
      } catch (error) {
        if (error instanceof LimitExceeded) return undefined
        throw error
      }
    },
    isOpen: () => !socket.destroyed,
    close: () => socket.destroy(),
  }
}

/** Searches only what is new, so that a line in many chunks costs no more than its length. */
async function* splitLines(socket: Socket, onChunk: (chunk: string) => void) {
  let begun = ''
  for await (const chunk of socket as AsyncIterable<string>) {
    onChunk(chunk)
    const [first = '', ...more] = chunk.split('\n')
    begun += first
    for (const next of more) {
      yield begun.endsWith('\r') ? begun.slice(0, -1) : begun
      begun = next
    }
  }
}
