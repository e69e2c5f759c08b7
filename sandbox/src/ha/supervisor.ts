import { spawn } from 'node:child_process'
import { closeSync, openSync, rmSync } from 'node:fs'
import { signalBelow } from './processes-below.ts'

export interface SupervisedProcess {
  command: string
  args: readonly string[]
  cwd: string
  env: Record<string, string>
  uid?: number
  gid?: number
  /** The path of its log. */
  log: string
}

/**
 * Starts the processes of a cluster. It runs below tini, which reaps the orphans: where process 1 of a container does
 * not, Patroni takes a killed PostgreSQL for a running one. When its parent ends, for whatever reason, it kills
 * everything in the folder of the cluster and removes it.
 */
const [folder] = process.argv.slice(2) as [string]

process.on('message', ({ command, args, cwd, env, log, ...owner }: SupervisedProcess) => {
  const file = openSync(log, 'a')
  const child = spawn(command, args, {
    ...owner,
    cwd,
    env,
    detached: true,
    stdio: ['ignore', file, file],
  })
  child.once('error', (error) => console.error(`${command}: ${error.message}`))
  closeSync(file)
})

process.once('disconnect', () => {
  signalBelow(folder, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.exit()
})
