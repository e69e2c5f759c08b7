import { Client } from 'pg'
import { startApiStack } from './api-stack.ts'
import { startPooledApi } from './pooled-api.ts'

export type DashboardStack = Awaited<ReturnType<typeof startDashboardStack>>

/** Starts an API whose database has no accounts and no rows from the CRM, except those of an earlier run. */
export async function startDashboardStack(
  permanentDir: string | undefined,
  env: Record<string, string>,
  poolerProgram?: string,
) {
  const apiStack = await startApiStack({ permanentDir, env: { WEB_DIR: '', ...env } })
  const { stack } = apiStack
  const sql = new Client({ connectionString: stack.urls.database })
  await sql.connect()
  const environment = { ...stack.environment } as Record<string, string>
  const database = stack.urls.database
  const pooled = poolerProgram && (await startPooledApi(poolerProgram, { database, environment }))
  return {
    pooled: pooled || undefined,
    base: stack.urls.api[0]!,
    database,
    environment,
    sql,
    restart: async () => {
      await stack.api[0]!.restart()
      if (pooled) await pooled.restart()
    },
    close: async () => {
      if (pooled) await pooled.close()
      await sql.end()
      await apiStack.close()
    },
  }
}
