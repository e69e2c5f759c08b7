import { afterFile } from './after-file.ts'
import { startTcpProxy } from './outside/tcp-proxy.ts'

const COMMIT = Buffer.from('commit\0')

/** A proxy in front of PostgreSQL. While it is down, connections are closed and new ones refused. */
export async function startDatabaseProxy(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const targetPort = Number(url.port)
  let onNextCommitLost: (() => void) | undefined
  const { port, down, up } = await startTcpProxy(targetPort, (client, database) => {
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
  })
  afterFile(down)
  url.port = String(port)
  return {
    url: url.href,
    down,
    up,
    /** Closes the connection of the next COMMIT after PostgreSQL has executed it. Resolves then. */
    loseNextCommit: () =>
      new Promise<void>((resolve) => {
        onNextCommitLost = resolve
      }),
  }
}
