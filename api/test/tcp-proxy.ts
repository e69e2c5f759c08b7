import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll } from 'vitest'

/** Stands in front of a server on loopback; while it is down, connections end and new ones are refused. */
export async function startProxy(targetPort: number) {
  const open = new Set<Socket>()
  const run = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
    return socket
  }
  const server = createServer((client) => {
    const target = run(connect(targetPort, '127.0.0.1'))
    run(client).pipe(target).pipe(client)
    client.on('close', () => target.destroy())
    target.on('close', () => client.destroy())
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  const down = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy()
    await closed
  }
  afterAll(() => (server.listening ? down() : undefined))
  return { port, down, up: () => listen(port) }
}
