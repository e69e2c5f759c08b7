import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inject } from 'vitest'
import { migratedDatabase, urlForApi } from './databases.ts'

export type ApiProcess = Awaited<ReturnType<typeof startApiProcess>>

/** Starts the API as a process with its own database. */
export async function startApiProcess(environment: Record<string, string>) {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../api/src/main/serve.ts')],
    {
      env: {
        ...inject('environment'),
        DATABASE_URL: urlForApi(await migratedDatabase()),
        HOST: '127.0.0.1',
        PORT: '0',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  /** Waits for the first log line with this message; it may have been logged already. */
  const waitForLog = async (message: string): Promise<string> => {
    for (;;) {
      const line = lines.find((each) => each.includes(`"msg":"${message}"`))
      if (line) return line
      const closed = once(reader, 'close').then(() => false)
      const more = once(reader, 'line').then(() => true)
      if (!(await Promise.race([more, closed])))
        throw new Error(`ended without the log line: ${message}`)
    }
  }
  const { address } = JSON.parse(await waitForLog('api ready')) as { address: string }
  return { base: address, waitForLog, ended, kill: (signal: NodeJS.Signals) => child.kill(signal) }
}
