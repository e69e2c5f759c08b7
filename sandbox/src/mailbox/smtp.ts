import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { simpleParser } from 'mailparser'
import type { ParsedMail } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import type { Bounces } from './bounces.ts'
import type { Faults } from './faults.ts'
import type { Message, MessageStore } from './store.ts'

const MAX_MESSAGE_BYTES = 10 * 1024 * 1024
const IDLE_TIMEOUT_MS = 10 * 60_000

type Respond = (error?: Error | null) => void

export async function startSmtp(
  store: MessageStore,
  faults: Faults,
  bounces: Bounces,
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
    size: MAX_MESSAGE_BYTES,
    socketTimeout: IDLE_TIMEOUT_MS,
    onAuth: (auth, _session, callback) => callback(null, { user: auth.username }),
    onConnect(_session, callback) {
      if (!faults.affects('refuse')) return callback()
      faults.count('refused')
      callback(refusal(421, 'Service not available (injected fault)'))
    },
    onData(stream, session, callback) {
      const socket = sockets.get(session.remotePort)
      if (socket === undefined) return callback(refusal(451, 'Connection lost'))
      void receive(stream, session, socket, callback)
    },
  })
  // A client that was killed resets the connection: not an error of the mailbox.
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
    respond: Respond,
  ): Promise<void> {
    const to = session.envelope.rcptTo.map(({ address }) => address)
    const { mailFrom } = session.envelope
    const returnPath = mailFrom === false ? '' : mailFrom.address
    let message: ReturnType<typeof present>
    try {
      message = present(await simpleParser(await buffer(stream)), to, returnPath)
    } catch {
      // The client disconnected, or sent something that is not an email.
      return respond(refusal(451, 'The message could not be read'))
    }
    if (faults.affects('fail')) {
      faults.count('failed')
      return respond(refusal(451, 'Requested action aborted (injected fault)'))
    }
    // Synchronous up to the response: a message is stored if and only if it is confirmed with 250.
    const accept = () => {
      store.add(message)
      faults.count('accepted')
      bounces.report(message)
      respond()
    }
    if (!faults.affects('hang')) return accept()
    await faults.holdDelivery(disconnectSignal(socket), () => {
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
      await faults.finishDeliveries()
      await closed
    },
  }
}

function disconnectSignal(socket: Socket): AbortSignal {
  const controller = new AbortController()
  socket.once('end', () => controller.abort())
  socket.once('close', () => controller.abort())
  // The parser pauses the socket for a large message, and a paused socket reports no end.
  socket.resume()
  if (!isOpen(socket)) controller.abort()
  return controller.signal
}

function isOpen(socket: Socket): boolean {
  return !socket.destroyed && !socket.readableEnded && socket.writable
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

function present(
  mail: ParsedMail,
  to: string[],
  returnPath: string,
): Omit<Message, 'id' | 'receivedAt'> {
  return {
    messageId: mail.messageId,
    from: mail.from?.text ?? '',
    returnPath,
    to,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html === false ? undefined : mail.html,
    headers: Object.fromEntries(
      mail.headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(':') + 1).trim()]),
    ),
  }
}
