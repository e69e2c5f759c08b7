import type { Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'

interface Limits {
  signal: AbortSignal
  /** The longest time until a whole reply has arrived. */
  replyMs: number
  /** The largest size of a reply. */
  bytesMax: number
}

export interface Pop3Connection {
  /** Reads the server's greeting. Throws if the server refuses. */
  greeting(): Promise<string>
  /** Sends a command and returns its reply of one line. Throws if the server refuses. */
  command(text: string): Promise<string>
  /** The same for a reply that ends with a line of one dot. If it exceeds a limit, closes and returns undefined. */
  multilineCommand(text: string): Promise<string | undefined>
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
  // Without a listener, an error would end the process. The pending read throws it.
  socket.on('error', () => {})
  let bytes = 0
  const stop = () => socket.destroy(new LimitExceeded('the reply of the mailbox exceeds a limit'))
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
    // The text of the reply is left out of the error, because it may contain an email address.
    if (!text.startsWith('+OK')) throw new Error('the mailbox refused the connection or a command')
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
    greeting: () => withLimits(status),
    command: (text) => {
      send(text)
      return withLimits(status)
    },
    multilineCommand: async (text) => {
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

/** Splits each chunk only once, so that a long line in many chunks takes linear time. */
async function* splitLines(socket: Socket, onChunk: (chunk: string) => void) {
  let incomplete = ''
  for await (const chunk of socket as AsyncIterable<string>) {
    onChunk(chunk)
    const [first = '', ...more] = chunk.split('\n')
    incomplete += first
    for (const next of more) {
      yield incomplete.endsWith('\r') ? incomplete.slice(0, -1) : incomplete
      incomplete = next
    }
  }
}
