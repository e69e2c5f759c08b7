import type { TestClient } from './test-client.ts'

interface Sql {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

export function concurrently<T>(count: number, task: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => task(index)))
}

export async function limitedConcurrency<T>(
  count: number,
  task: (index: number) => Promise<T>,
  limit = 4,
): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const run = async () => {
    while (next < count) {
      const index = next++
      results[index] = await task(index)
    }
  }
  await Promise.all(Array.from({ length: limit }, run))
  return results
}

/** Moves the times of challenges and limits back, as if the minutes had passed. */
export async function moveClock(sql: Sql, minutes: number): Promise<void> {
  await sql.query(
    `update challenges set sent_at = sent_at - make_interval(mins => $1),
       code_expires_at = code_expires_at - make_interval(mins => $1),
       expires_at = expires_at - make_interval(mins => $1)`,
    [minutes],
  )
  await sql.query(
    `update limits set resets_at = resets_at - make_interval(mins => $1),
       blocked_until = blocked_until - make_interval(mins => $1)`,
    [minutes],
  )
}

export async function countRows(sql: Sql, query: string, values: unknown[]): Promise<number> {
  const { rows } = await sql.query(`select count(*)::int as n from ${query}`, values)
  return (rows[0] as { n: number }).n
}

export const countSessions = (sql: Sql, email: string): Promise<number> =>
  countRows(sql, 'sessions join users on users.id = user_id where email = $1', [email])

export function withCookies(client: TestClient, cookies: ReadonlyMap<string, string>): TestClient {
  client.cookies.clear()
  for (const [name, value] of cookies) client.cookies.set(name, value)
  return client
}

export const countStatus = (responses: readonly { status: number }[], status: number): number =>
  responses.filter((response) => response.status === status).length

/** A busy machine refuses some requests, because too many passwords wait to be hashed. */
export const BUSY = 503
export async function retryWhileBusy<T extends { status: number }>(
  call: () => Promise<T>,
): Promise<T> {
  let response = await call()
  while (response.status === BUSY) response = await call()
  return response
}
