import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startPostgres } from '@guidon/sandbox/postgres'

const RETRY_MS = 500

/** A separate PostgreSQL server with one database, which can be started again on the same port after it has ended. */
export async function supervisedPostgres(
  parts: AsyncDisposableStack,
  dataDir = mkdtempSync(join(tmpdir(), 'guidon-postgres-')),
) {
  parts.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  let server = await startPostgres({ dataDir, durable: true })
  parts.defer(() => server.stop())
  const { port } = server
  const start = async (env: Record<string, string> = {}) => {
    server = await startPostgres({ dataDir, port, durable: true, env })
  }

  /** Starts it again, as often as necessary, whenever it ends by itself. Returns how often it ended. */
  const keepRunning = async (signal: AbortSignal): Promise<number> => {
    const aborted = new Promise<false>((resolve) =>
      signal.addEventListener('abort', () => resolve(false)),
    )
    let ends = 0
    while (await Promise.race([aborted, server.exited.then(() => true)])) {
      ends += 1
      await server.stop()
      while (
        !(await start().then(
          () => true,
          () => false,
        ))
      )
        await delay(RETRY_MS)
    }
    return ends
  }

  return {
    url: await server.createDatabase('guidon'),
    killAndStart: async () => {
      await server.kill()
      await start()
    },
    /** With these environment variables. */
    restart: async (env: Record<string, string>) => {
      await server.stop()
      await start(env)
    },
    keepRunning,
  }
}
