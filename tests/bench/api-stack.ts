import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from '@guidon/sandbox/stack/demo-accounts'
import { noLog } from '@guidon/sandbox/stack/logs'
import { startStack } from '@guidon/sandbox/stack/stack'
import { StackProcess } from '@guidon/sandbox/stack/stack-process'
import type { Client } from 'pg'

interface ApiStackOptions {
  env: Record<string, string>
  accounts?: readonly Account[]
  /** An existing database; without it, an empty one on a PostgreSQL that writes to disk. */
  databaseUrl?: string
}

export type ApiStack = Awaited<ReturnType<typeof startApiStack>>

/** Starts one API process and no worker. Its data folder is removed afterwards. */
export async function startApiStack({ env, accounts, databaseUrl }: ApiStackOptions) {
  const dataDir = mkdtempSync(join(tmpdir(), 'guidon-bench-'))
  const stack = await startStack({
    dataDir,
    databaseUrl,
    mode: 'production',
    durable: true,
    workers: 0,
    // The benchmark of uploads has its own.
    scanner: false,
    ...(accounts && { accounts }),
    env,
  })
  return {
    stack,
    dataDir,
    close: async () => {
      await stack.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A worker process that is not started yet, for a stack without workers. */
export function workerProcess(environment: Readonly<Record<string, string>>): StackProcess {
  return new StackProcess({
    name: 'worker',
    args: ['api/src/main/work.ts'],
    cwd: join(import.meta.dirname, '../..'),
    // `ready` waits for a line that the worker logs at level info.
    env: { ...process.env, ...environment, LOG_LEVEL: 'info' },
    ready: { line: '"msg":"worker ready"' },
    stopTimeoutMs: 10_000,
    log: noLog(),
    onUnexpectedExit: () => {},
  })
}

/** Updates the planner's statistics and writes all pages to disk, after bulk changes of these tables. */
export async function vacuumAndCheckpoint(sql: Client, tables: readonly string[]): Promise<void> {
  await sql.query(`vacuum (analyze) ${tables.join(', ')}`)
  await sql.query('checkpoint')
}
