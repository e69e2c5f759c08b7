import { Client } from 'pg'
import type { QueryResultRow } from 'pg'

/** Runs one statement on a new connection. */
export async function queryOnce<Row extends QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql, [...values])).rows
  } finally {
    await client.end()
  }
}
