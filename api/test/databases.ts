import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, inject } from 'vitest'
import { openDatabase, openPool } from '../src/db/database.ts'
import type { Database } from '../src/db/database.ts'

/** Runs one statement on the cluster, outside of any test's database. */
export async function asOperator(statement: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: inject('clusterUrl') })
  await client.connect()
  try {
    await client.query(statement, values)
  } finally {
    await client.end()
  }
}

/** A new database, empty or a copy of a template, and its address. */
export async function newDatabase(template = 'template1'): Promise<string> {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await asOperator(`create database ${name} template ${template}`)
  const url = new URL(inject('clusterUrl'))
  url.pathname = `/${name}`
  return url.href
}

export async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

/** The database as the processes have it, under their role; let go of when the file's tests are done. */
export function databaseAt(url: string, size: number): Database {
  const pool = openPool({ url, size, statementTimeoutMs: 8_000, onIdleError: () => {} })
  afterAll(() => pool.end())
  return openDatabase(pool)
}
