import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import { openDatabase, openPool } from '../../api/src/db/database.ts'
import type { Database } from '../../api/src/db/database.ts'
import { afterFile } from './after-file.ts'

/** Runs one statement on the cluster, outside the databases of tests. */
export async function runOnCluster(statement: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: inject('clusterUrl') })
  await client.connect()
  try {
    await client.query(statement, values)
  } finally {
    await client.end()
  }
}

/** Creates a database, empty or as a copy of a template, and returns its URL. */
export async function newDatabase(template = 'template1'): Promise<string> {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await runOnCluster(`create database ${name} template ${template}`)
  const url = new URL(inject('clusterUrl'))
  url.pathname = `/${name}`
  return url.href
}

/** How an API connects to a database of the cluster: through the pooler of the run, if it has one. */
export function urlForApi(url: string): string {
  const [cluster, pooler] = [inject('clusterUrl'), inject('poolerUrl')]
  const isOfCluster = new URL(url).port === new URL(cluster).port
  return pooler && isOfCluster
    ? Object.assign(new URL(url), { port: new URL(pooler).port }).href
    : url
}

export async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

/** Opens a database with the application's role; closed after the tests of the file. */
export function databaseAt(url: string, size: number): Database {
  const pool = openPool({ url, size, statementTimeoutMs: 8_000, onIdleError: () => {} })
  afterFile(() => pool.end())
  return openDatabase(pool)
}
