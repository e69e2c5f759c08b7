import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'

/** Copies an account to other emails, because hashing a password for each would take minutes. */
export async function copyAccount(
  sql: Pick<ClientBase, 'query'>,
  email: string,
  count: number,
): Promise<{ userId: string; email: string }[]> {
  const { rows } = await sql.query<{ userId: string; email: string }>(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role)
     select given, password_hash, first_name, last_name, phone, state, role
     from users, unnest($2::text[]) as given where email = $1
     returning id as "userId", email`,
    [email, Array.from({ length: count }, () => `${randomUUID()}@example.com`)],
  )
  return rows
}
