import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
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
  /** Kept after the run; without it, a temporary folder. */
  dataDir?: string | undefined
}

/** One API process on a PostgreSQL that writes to disk, without a worker. */
export async function startApiStack({ env, accounts, dataDir: kept }: ApiStackOptions) {
  if (kept !== undefined) mkdirSync(kept, { recursive: true })
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'guidon-bench-'))
  const stack = await startStack({
    dataDir,
    mode: 'production',
    durable: true,
    workers: 0,
    ...(accounts && { accounts }),
    env,
  })
  return {
    stack,
    dataDir,
    close: async () => {
      await stack.stop()
      if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A worker process for a stack that was started without one. */
export function workerProcess(environment: Readonly<Record<string, string>>): StackProcess {
  return new StackProcess({
    name: 'worker',
    args: ['api/src/main/work.ts'],
    cwd: join(import.meta.dirname, '..'),
    // The worker logs at this level that it is ready.
    env: { ...process.env, ...environment, LOG_LEVEL: 'info' },
    ready: { line: '"msg":"worker ready"' },
    stopTimeoutMs: 10_000,
    log: noLog(),
    onUnexpectedExit: () => {},
  })
}

/** Updates the planner's statistics and writes all pages to disk, after bulk changes. */
export async function vacuumAndCheckpoint(sql: Client): Promise<void> {
  await sql.query('vacuum (analyze)')
  await sql.query('checkpoint')
}
