import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { afterFile } from './after-file.ts'

const DEFAULT_REPLIES: Record<string, string> = {
  EHLO: '250-relay.test\r\n250 AUTH PLAIN',
  AUTH: '235 2.7.0 accepted',
  DATA: '354 go ahead',
  QUIT: '221 bye',
  STARTTLS: '502 5.5.1 not implemented',
}

/**
 * An SMTP relay without TLS that gives configurable replies and records the commands it receives. It never replies
 * to a command that `hangs` selects.
 */
export async function startRelay(
  replies: Record<string, string> = {},
  hangs: (line: string) => boolean = () => false,
) {
  const commandLines: string[] = []
  const open = new Set<Socket>()
  let acceptedCount = 0
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    socket.write('220 relay.test\r\n')
    let isBody = false
    createInterface({ input: socket }).on('line', (line) => {
      if (isBody && line !== '.') return
      if (isBody) acceptedCount += 1
      else commandLines.push(line)
      if (!isBody && hangs(line)) return
      const command = isBody ? '.' : line.split(/[ :]/)[0]!.toUpperCase()
      const reply = replies[command] ?? DEFAULT_REPLIES[command] ?? '250 2.0.0 ok'
      isBody = command === 'DATA' && reply.startsWith('3')
      socket.write(`${reply}\r\n`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterFile(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    commandLines,
    replies,
    acceptedCount: () => acceptedCount,
  }
}
