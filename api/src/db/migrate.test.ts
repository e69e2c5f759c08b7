import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connected, migratedDatabase } from '@guidon/tests/databases'
import { afterAll, expect, it, vi } from 'vitest'
import { openDatabase, openPool } from './database.ts'
import { migrate } from './migrate.ts'

const NEXT_MIGRATION = '9999_next.sql'
const newer = mkdtempSync(join(tmpdir(), 'guidon-newer-'))
afterAll(() => rmSync(newer, { recursive: true }))
cpSync(resolve(import.meta.dirname, '../../migrations'), newer, { recursive: true })
writeFileSync(join(newer, NEXT_MIGRATION), 'alter table users add column of_the_next_release text;')

async function openMigrated() {
  const url = await migratedDatabase()
  const options = { url, size: 1, statementTimeoutMs: 0, asOwner: true, onIdleError: () => {} }
  const pool = openPool(options)
  const sql = await connected(url)
  afterAll(() => Promise.all([pool.end(), sql.end()]))
  return { db: openDatabase(pool), sql, url }
}

it('lets a process start after a newer release has migrated the database', async () => {
  const { db } = await openMigrated()
  expect(await migrate(db, newer)).toEqual([NEXT_MIGRATION])
  expect(await migrate(db)).toEqual([])
  expect(await migrate(db, newer)).toEqual([])
})

it('refuses a database with a different migration history', async () => {
  const { db, sql } = await openMigrated()
  await sql.query(`update kysely_migration set name = '0001_other.sql' where name like '0001%'`)
  await expect(migrate(db)).rejects.toThrow('could not be applied')
})

it('does not block other queries while it waits for a locked table', async () => {
  const { db, sql, url } = await openMigrated()
  const reader = await connected(url)
  await sql.query('begin; lock table users in access share mode')
  const migrated = migrate(db, newer)
  await vi.waitFor(async () => {
    const waiting = await reader.query(
      `select from pg_locks where relation = 'users'::regclass and not granted`,
    )
    expect(waiting.rowCount).toBe(1)
  })
  // Waits behind the migration until its lock timeout.
  await reader.query('select count(*) from users')
  await sql.query('commit')
  expect(await migrated).toEqual([NEXT_MIGRATION])
  await reader.end()
})
