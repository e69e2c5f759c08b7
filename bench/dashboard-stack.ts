import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '@guidon/sandbox/stack/stack'
import { Client } from 'pg'

export type DashboardHouse = Awaited<ReturnType<typeof openDashboardHouse>>

/** The API as its process on a PostgreSQL that really writes to disk, with no worker yet. */
export async function openDashboardHouse(given: string | undefined, env: Record<string, string>) {
  if (given !== undefined) mkdirSync(given, { recursive: true })
  const dataDir = given ?? mkdtempSync(join(tmpdir(), 'guidon-bench-'))
  const stack = await startStack({
    dataDir,
    mode: 'production',
    durable: true,
    workers: 0,
    env: { WEB_DIR: '', ...env },
  })
  const sql = new Client({ connectionString: stack.urls.database })
  await sql.connect()
  return {
    base: stack.urls.api[0]!,
    database: stack.urls.database,
    environment: { ...stack.environment } as Record<string, string>,
    sql,
    restart: () => stack.api[0]!.restart(),
    close: async () => {
      await sql.end()
      await stack.stop()
      if (given === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Statements that change what the planner knows have to be followed by this. */
export async function settle(sql: Client): Promise<void> {
  await sql.query('vacuum (analyze)')
  await sql.query('checkpoint')
}
