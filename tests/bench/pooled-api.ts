import { join } from 'node:path'
import { freePort } from '@guidon/sandbox/free-port'
import { startPooler } from '@guidon/sandbox/pooler'
import { noLog } from '@guidon/sandbox/stack/logs'
import { StackProcess } from '@guidon/sandbox/stack/stack-process'

/** A second API on the same database, which connects through PgBouncer. */
export async function startPooledApi(
  program: string,
  { database, environment }: { database: string; environment: Readonly<Record<string, string>> },
) {
  const pooler = await startPooler({ program, url: database })
  const port = await freePort()
  const api = new StackProcess({
    name: 'pooled api',
    args: ['--max-semi-space-size=16', 'api/src/main/serve.ts'],
    cwd: join(import.meta.dirname, '../..'),
    env: {
      ...process.env,
      ...environment,
      DATABASE_URL: pooler.urlOf(environment['DATABASE_URL']!),
      PORT: String(port),
    },
    ready: { url: `http://127.0.0.1:${port}/readyz` },
    stopTimeoutMs: 10_000,
    log: noLog(),
    onUnexpectedExit: () => {},
  })
  await api.start()
  return {
    base: `http://127.0.0.1:${port}`,
    restart: () => api.restart(),
    close: async () => {
      await api.stop()
      await pooler.close()
    },
  }
}
