import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterFile } from './after-file.ts'

const COMMIT = Buffer.from('commit\0')

/** A proxy in front of PostgreSQL. While it is down, connections are closed and new ones refused. */
export async function startDatabaseProxy(databaseUrl: string) {
  const target = Number(new URL(databaseUrl).port)
  const open = new Set<Socket>()
  let onNextCommitLost: (() => void) | undefined
  const track = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
    return socket
  }
  const server = createServer((incoming) => {
    const client = track(incoming)
    const database = track(connect(target, '127.0.0.1'))
    let onCommitLost: (() => void) | undefined
    client.on('data', (bytes) => {
      if (onNextCommitLost && bytes.includes(COMMIT)) {
        onCommitLost = onNextCommitLost
        onNextCommitLost = undefined
      }
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      if (!onCommitLost) return client.write(bytes)
      client.destroy()
      return onCommitLost()
    })
    client.on('close', () => database.destroy())
    database.on('close', () => client.destroy())
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const url = new URL(databaseUrl)
  url.port = String(await listen(0))
  const down = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy()
    await closed
  }
  afterFile(() => (server.listening ? down() : undefined))
  return {
    url: url.href,
    down,
    up: () => listen(Number(url.port)),
    /** Closes the connection of the next COMMIT after PostgreSQL has executed it. Resolves then. */
    loseNextCommit: () =>
      new Promise<void>((resolve) => {
        onNextCommitLost = resolve
      }),
  }
}
