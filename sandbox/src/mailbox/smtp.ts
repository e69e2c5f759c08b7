import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { simpleParser } from 'mailparser'
import type { ParsedMail } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import type { Faults } from './faults.ts'
import type { Message, MessageStore } from './store.ts'

const LARGEST_MESSAGE_BYTES = 10 * 1024 * 1024
const IDLE_MS = 10 * 60_000

type Answer = (error?: Error | null) => void

export async function startSmtp(
  store: MessageStore,
  faults: Faults,
  { host, port }: { host: string; port: number },
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Map<number, Socket>()
  const smtp = new SMTPServer({
    name: 'sandbox-mailbox',
    banner: 'Sandbox mailbox, development and tests only',
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    size: LARGEST_MESSAGE_BYTES,
    socketTimeout: IDLE_MS,
    onAuth: (auth, _session, callback) => callback(null, { user: auth.username }),
    onConnect(_session, callback) {
      if (!faults.strikes('refuse')) return callback()
      faults.count('refused')
      callback(refusal(421, 'Service not available (injected fault)'))
    },
    onData(stream, session, callback) {
      const socket = sockets.get(session.remotePort)
      if (socket === undefined) return callback(refusal(451, 'Connection lost'))
      void receive(stream, session, socket, callback)
    },
  })
  // A client that is killed resets the connection; that is its business, not our failure.
  smtp.on('error', () => {})
  smtp.server.on('connection', (socket) => {
    const from = socket.remotePort ?? 0
    sockets.set(from, socket)
    socket.once('close', () => sockets.delete(from))
  })

  async function receive(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    socket: Socket,
    answer: Answer,
  ): Promise<void> {
    const to = session.envelope.rcptTo.map(({ address }) => address)
    let message: ReturnType<typeof present>
    try {
      message = present(await simpleParser(await buffer(stream)), to)
    } catch {
      // The sender left in the middle, or what it sent is no mail.
      return answer(refusal(451, 'The message could not be read'))
    }
    if (faults.strikes('fail')) {
      faults.count('failed')
      return answer(refusal(451, 'Requested action aborted (injected fault)'))
    }
    // From here to the 250 nothing is awaited: a message is stored if and only if it is answered.
    const accept = () => {
      store.add(message)
      faults.count('accepted')
      answer()
    }
    if (!faults.strikes('hang')) return accept()
    await faults.hold(whenLeft(socket), async () => {
      // The news that a client was killed may be waiting in the queue behind the order to let go.
      await nextTurn()
      await nextTurn()
      if (isOpen(socket)) accept()
      else faults.count('abandoned')
    })
  }

  smtp.listen(port, host)
  await once(smtp.server, 'listening')
  return {
    port: (smtp.server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => smtp.close(resolve))
      for (const socket of sockets.values()) socket.destroy()
      await faults.releaseHeld()
      await closed
    },
  }
}

function whenLeft(socket: Socket): AbortSignal {
  const left = new AbortController()
  socket.once('end', () => left.abort())
  socket.once('close', () => left.abort())
  // A large message fills the parser, which pauses the socket; paused, it would not see the end.
  socket.resume()
  if (!isOpen(socket)) left.abort()
  return left.signal
}

function isOpen(socket: Socket): boolean {
  return !socket.destroyed && !socket.readableEnded && socket.writable
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

function present(mail: ParsedMail, to: string[]): Omit<Message, 'id' | 'receivedAt'> {
  return {
    messageId: mail.messageId,
    from: mail.from?.text ?? '',
    to,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html === false ? undefined : mail.html,
    headers: Object.fromEntries(
      mail.headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(':') + 1).trim()]),
    ),
  }
}
