import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** What a proxy does with the bytes of a new connection. */
type Forward = (client: Socket, target: Socket) => void

const forwardBoth: Forward = (client, target) => void client.pipe(target).pipe(client)

/** A TCP proxy. While it is down, connections are closed and new ones refused. */
export async function startTcpProxy(targetPort: number | (() => number), forward = forwardBoth) {
  const open = new Set<Socket>()
  const track = (socket: Socket) => {
    open.add(socket)
    return socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
  }
  const server = createServer((incoming) => {
    const client = track(incoming)
    const target = track(
      connect(typeof targetPort === 'number' ? targetPort : targetPort(), '127.0.0.1'),
    )
    client.on('close', () => target.destroy())
    target.on('close', () => client.destroy())
    forward(client, target)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  const closeConnections = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port,
    closeConnections,
    up: () => listen(port),
    async down(): Promise<void> {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      closeConnections()
      await closed
    },
  }
}
