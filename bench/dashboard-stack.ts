import { Client } from 'pg'
import { startApiStack } from './api-stack.ts'

export type DashboardStack = Awaited<ReturnType<typeof startDashboardStack>>

/** Starts an API whose database has no accounts and no rows from the CRM, except those of an earlier run. */
export async function startDashboardStack(
  permanentDir: string | undefined,
  env: Record<string, string>,
) {
  const apiStack = await startApiStack({ permanentDir, env: { WEB_DIR: '', ...env } })
  const { stack } = apiStack
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
      await apiStack.close()
    },
  }
}
