import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration } from 'kysely/migration'
import { OperatorError } from '../platform/operator-error.ts'
import type { Database } from './database.ts'
import { isLockTimeout, LOCK_RETRY_MS, LOCK_TIMEOUT, LOCK_TRIES } from './locks.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const entries = (await namesIn(folder)).map(async (file): Promise<[string, Migration]> => {
    const text = await readFile(join(folder, file), 'utf8')
    const up: Migration['up'] = async (db) => {
      await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(db)
      await sql.raw(text).execute(db)
    }
    return [file, { up }]
  })
  return Object.fromEntries(await Promise.all(entries))
}

async function appliedMigrations(db: Database): Promise<string[]> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db)
  if (!tables[0]!.exists) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

export interface MigrationState {
  /** Of this release, and not applied yet. */
  missing: string[]
  /** Applied by a newer release. */
  newer: string[]
}

export async function migrationState(db: Database, folder = FOLDER): Promise<MigrationState> {
  const own = await namesIn(folder)
  const applied = await appliedMigrations(db)
  return {
    missing: own.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => name > (own.at(-1) ?? '')).toSorted(),
  }
}

/** Accepted without running them, because this process may start beside a newer one or after a rollback. */
async function appliedByNewerRelease(db: Database, folder: string) {
  const { newer } = await migrationState(db, folder)
  return Object.fromEntries(
    newer.map((name): [string, Migration] => [name, { up: async () => {} }]),
  )
}

/**
 * Applies all new migrations in one transaction. Any number of processes may call this at once, because the
 * migrator holds an advisory lock.
 */
export async function migrate(db: Database, folder = FOLDER): Promise<string[]> {
  const ownMigrations = await readMigrations(folder)
  for (let attempt = 1; ; attempt += 1) {
    const all = { ...ownMigrations, ...(await appliedByNewerRelease(db, folder)) }
    const migrator = new Migrator({ db, provider: { getMigrations: async () => all } })
    const { error, results } = await migrator.migrateToLatest()
    if (!error) return (results ?? []).map((result) => result.migrationName)
    if (!isLockTimeout(error) || attempt === LOCK_TRIES) throw couldNotBeApplied(error)
    await delay(LOCK_RETRY_MS)
  }
}

function couldNotBeApplied(cause: unknown): Error {
  const { code, message } = cause as Error & { code?: string }
  // A message of PostgreSQL can quote data; its code cannot.
  const reason = isLockTimeout(cause) ? 'a table stayed locked' : (code ?? message)
  return new OperatorError(
    `the migrations could not be applied (${reason}). Nothing was changed. See docs/operate/upgrade.md, "If a migration fails".`,
    { cause },
  )
}
