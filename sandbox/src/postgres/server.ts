import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { childExit } from '../child-exit.ts'
import { endWithParent } from '../watchdog.ts'
import type { Binaries } from './binaries.ts'
import { postgresEnv } from './cluster.ts'
import type { OsUser } from './os-user.ts'

const FAST_STOP_MS = 15_000
const LINES_KEPT = 40
/** A standby accepts only read-only connections. */
const READY = /database system is ready to accept (read-only )?connections/
const PORT_TAKEN = 'could not bind'
// The backends of a killed postmaster end a moment after it.
const STILL_ENDING = 'pre-existing shared memory block'

type StartFailure = 'port-taken' | 'still-ending' | 'other'

export class PostgresDidNotStart extends Error {
  readonly reason: StartFailure

  constructor(port: number, lines: readonly string[]) {
    const output = lines.join('\n')
    super(`PostgreSQL did not start on port ${port}:\n${output}`)
    if (output.includes(PORT_TAKEN)) this.reason = 'port-taken'
    else if (output.includes(STILL_ENDING)) this.reason = 'still-ending'
    else this.reason = 'other'
  }
}

export interface Server {
  /** Settles when the server ends, and says how. */
  exited: Promise<string>
  lastLines(): string
  stop(): Promise<void>
  /** Ends the postmaster as a crash does. The other processes of the server notice it and end by themselves. */
  kill(): Promise<void>
}

export async function startServer(
  binaries: Binaries,
  data: string,
  port: number,
  durable: boolean,
  user: OsUser,
  env: Record<string, string> = {},
): Promise<Server> {
  const child = spawn(binaries.postgres, ['-D', data, ...settings(port, durable)], {
    ...user,
    cwd: '/',
    env: { ...postgresEnv(), ...env },
    // Outside of the terminal's process group: on Ctrl-C the processes that use the database stop before it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = childExit(child)
  const lines: string[] = []
  const ready = new Promise<boolean>((resolve) => {
    const reader = createInterface({ input: child.stderr })
    reader.on('line', (line) => {
      lines.push(line)
      if (lines.length > LINES_KEPT) lines.shift()
      if (READY.test(line)) resolve(true)
    })
    reader.on('close', () => resolve(false))
    child.once('error', (error) => {
      lines.push(error.message)
      resolve(false)
    })
  })
  const watchdog = child.pid === undefined ? undefined : endWithParent(child.pid, 'INT', user)
  if (!(await ready)) {
    await exited
    await watchdog?.release()
    throw new PostgresDidNotStart(port, lines)
  }
  return {
    exited,
    lastLines: () => lines.join('\n'),
    async stop() {
      await stopChild(child, exited)
      await watchdog?.release()
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
      await watchdog?.release()
    },
  }
}

async function stopChild(child: ChildProcess, exited: Promise<string>): Promise<void> {
  const timeout = new AbortController()
  const ended = exited.then(() => true)
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    child.kill(signal)
    const late = delay(FAST_STOP_MS, false, { signal: timeout.signal }).catch(() => false)
    if (await Promise.race([ended, late])) break
  }
  timeout.abort()
}

/** Of a test's cluster, which may be lost at any moment: it does not wait for the disk, and no maintenance runs. */
const SHORT_LIVED = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '2GB',
  checkpoint_timeout: '1h',
  // Autovacuum starts a process in each database, of which a run has a hundred.
  autovacuum_naptime: '1h',
  bgwriter_lru_maxpages: 0,
  jit: 'off',
}

function settings(port: number, durable: boolean): string[] {
  const values: Record<string, string | number> = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Benchmarks read statements from pg_stat_activity, which cuts them at 1,024 bytes by default.
    track_activity_query_size: 16_384,
    ...(durable ? {} : SHORT_LIVED),
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
