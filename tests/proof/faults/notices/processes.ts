import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Config } from '../../../../api/src/main/config/config.ts'
import { afterFile } from '../../../support/after-file.ts'

const PROCESS = join(import.meta.dirname, 'notices-process.ts')

/** Worker processes that can be killed at any moment and are replaced. */
export async function workerProcesses(
  config: Pick<Config, 'DATABASE_URL' | 'SMTP_URL' | 'BOUNCE_ADDRESS' | 'BOUNCE_URL'>,
  count: number,
) {
  const { DATABASE_URL, SMTP_URL, BOUNCE_ADDRESS, BOUNCE_URL } = config
  const running: ChildProcess[] = []
  const start = async () => {
    const child = spawn(process.execPath, [PROCESS], {
      env: { ...inject('environment'), DATABASE_URL, SMTP_URL, BOUNCE_ADDRESS, BOUNCE_URL },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    running.push(child)
    await once(child.stdout, 'data')
  }
  await Promise.all(Array.from({ length: count }, start))
  const killOne = () => running.shift()?.kill('SIGKILL')
  afterFile(() => {
    while (running.length > 0) killOne()
  })
  return {
    /** Ends the oldest process with `kill -9`, and starts another one. */
    restartOne: async () => {
      killOne()
      await start()
    },
  }
}
