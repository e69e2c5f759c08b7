import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { endWithParent } from '@guidon/sandbox/watchdog'
import { vi } from 'vitest'

/** Starts a program, which has the name of its Debian package, and waits until its URL responds. */
export async function startProgram(
  program: string,
  args: readonly string[],
  readyUrl: string,
  env: Record<string, string> = {},
): Promise<{ close(): Promise<void> }> {
  const child = spawn(program, args, {
    stdio: 'ignore',
    env: { PATH: '/usr/sbin:/usr/bin:/bin', ...env },
  })
  await once(child, 'spawn').catch(() => {
    throw new Error(`${program} is not installed: apt-get install ${program}`)
  })
  const exited = once(child, 'exit')
  const watchdog = endWithParent(child.pid!, 'KILL')
  const responds = () =>
    fetch(readyUrl).then(
      ({ ok }) => ok,
      () => false,
    )
  await vi.waitUntil(responds, { timeout: 60_000, interval: 100 })
  return {
    close: async () => {
      child.kill('SIGTERM')
      await exited
      await watchdog.release()
    },
  }
}
