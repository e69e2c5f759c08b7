import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterFile } from './after-file.ts'

/** A TCP proxy; while it is down, connections are closed and new ones refused. */
export async function startProxy(targetPort: number) {
  const open = new Set<Socket>()
  const track = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
    return socket
  }
  const server = createServer((client) => {
    const target = track(connect(targetPort, '127.0.0.1'))
    track(client).pipe(target).pipe(client)
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
  afterFile(() => (server.listening ? down() : undefined))
  return { port, down, up: () => listen(port) }
}
