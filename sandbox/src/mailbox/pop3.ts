import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Bounces } from './bounces.ts'

/** The response to a TOP of a message with one of these headers never ends. */
const ENDLESS = /^X-Sandbox-Fault: endless-line$/m
const SLOW = /^X-Sandbox-Fault: slow$/m

/** The commands of POP3 (RFC 1939) that are needed to read and delete messages. Any user and password are accepted. */
export async function startPop3(
  bounces: Bounces,
  { host, port }: { host: string; port: number },
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    serveMailbox(socket, bounces)
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function serveMailbox(socket: Socket, bounces: Bounces): void {
  // As of the sign-in: numbers must not change during a session.
  const messages = [...bounces.list()]
  const deleted = new Set<string>()
  const reply = (text: string) => socket.write(`${text}\r\n`)
  reply('+OK sandbox mailbox, development and tests only')
  const input = createInterface({ input: socket }).on('error', () => {})
  input.on('line', (line) => {
    const [command = '', number = ''] = line.split(' ')
    const message = messages[Number(number) - 1]
    switch (command.toUpperCase()) {
      case 'USER':
      case 'PASS':
        return reply('+OK')
      case 'STAT':
        return reply(`+OK ${messages.length} ${messages.join('').length}`)
      case 'LIST':
        if (message === undefined) return reply('-ERR no such message')
        return reply(`+OK ${number} ${message.length}`)
      case 'TOP':
        if (message === undefined) return reply('-ERR no such message')
        reply('+OK')
        if (ENDLESS.test(message)) return Readable.from(endlessLine()).pipe(socket)
        if (SLOW.test(message)) return Readable.from(slowLines()).pipe(socket)
        for (const each of message.split('\n')) reply(each.startsWith('.') ? `.${each}` : each)
        return reply('.')
      case 'DELE':
        if (message === undefined) return reply('-ERR no such message')
        deleted.add(message)
        return reply('+OK')
      case 'QUIT':
        bounces.remove(deleted)
        reply('+OK')
        return socket.end()
      default:
        return reply('-ERR unknown command')
    }
  })
}

async function* slowLines() {
  for (;;) {
    yield 'Subject: slow\r\n'
    await setTimeout(50)
  }
}

function* endlessLine() {
  for (;;) yield 'x'.repeat(64 * 1024)
}
