import type { TestClient } from '../test/test-client.ts'

interface Sql {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** The same thing many times at the same moment. */
export function atOnce<T>(count: number, task: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => task(index)))
}

/** All of them, but only a few at a time: for what is set up rather than tried. */
export async function limitedConcurrency<T>(
  count: number,
  task: (index: number) => Promise<T>,
  together = 4,
): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const hand = async () => {
    while (next < count) {
      const index = next++
      results[index] = await task(index)
    }
  }
  await Promise.all(Array.from({ length: together }, hand))
  return results
}

/** Moves everything that waits or expires in the sign-in back by so much. */
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

/** What a thief of cookies, or a browser that lost an answer, holds. */
export function withCookies(client: TestClient, cookies: ReadonlyMap<string, string>): TestClient {
  client.cookies.clear()
  for (const [name, value] of cookies) client.cookies.set(name, value)
  return client
}

export const countStatus = (statuses: readonly { status: number }[], status: number): number =>
  statuses.filter((answer) => answer.status === status).length
