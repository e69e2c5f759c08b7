import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration } from 'kysely/migration'
import type { Database } from './database.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')

/**
 * While a migration waits for a table lock, all other queries of that table wait behind it. So it times
 * out early and tries again. Shorter than deadlock_timeout, so that a deadlock never ends another transaction.
 */
const LOCK_TIMEOUT = '500ms'
const LOCK_NOT_AVAILABLE = '55P03'
const RETRY_DELAY_MS = 1_000
const TRIES = 60

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  const entries = files.map(async (file): Promise<[string, Migration]> => {
    const text = await readFile(join(folder, file), 'utf8')
    const up: Migration['up'] = async (db) => {
      await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(db)
      await sql.raw(text).execute(db)
    }
    return [file, { up }]
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Accepted without running them, because this process may start beside a newer one or after a rollback. */
async function appliedByNewerRelease(
  names: string[],
  db: Database,
): Promise<Record<string, Migration>> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db)
  if (!tables[0]!.exists) return {}
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const newer = rows.map(({ name }) => name).filter((name) => name > (names.at(-1) ?? ''))
  return Object.fromEntries(newer.map((name) => [name, { up: async () => {} }]))
}

/**
 * Applies all new migrations in one transaction. Any number of processes may call this at once, because the
 * migrator holds an advisory lock.
 */
export async function migrate(db: Database, folder = FOLDER): Promise<string[]> {
  const ownMigrations = await readMigrations(folder)
  for (let attempt = 1; ; attempt += 1) {
    const all = {
      ...ownMigrations,
      ...(await appliedByNewerRelease(Object.keys(ownMigrations), db)),
    }
    const migrator = new Migrator({ db, provider: { getMigrations: async () => all } })
    const { error, results } = await migrator.migrateToLatest()
    if (!error) return (results ?? []).map((result) => result.migrationName)
    if (!isBusy(error) || attempt === TRIES) {
      throw new Error('the migrations could not be applied', { cause: error })
    }
    await delay(RETRY_DELAY_MS)
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE
