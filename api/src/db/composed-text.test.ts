import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { login } from '@guidon/contract/auth'
import { listUsers } from '@guidon/contract/manage-users'
import { boot } from '@guidon/tests/boot'
import { expect, it } from 'vitest'

const { account, signedIn, newClient, sql } = await boot()
const migration = readFileSync(
  new URL('../../migrations/0015_composed_text.sql', import.meta.url),
  'utf8',
)

/** Stores decomposed text, as the previous release did, and runs the migration. */
async function migratedAccount() {
  const { email, password } = await account()
  const decomposed = `jose\u0301.${email}`
  await sql.query(
    `update users set email = $1, first_name = E'Jose\\u0301', last_name = E'Nun\\u0303ez' where email = $2`,
    [decomposed, email],
  )
  await sql.query(migration)
  return { decomposed, composed: decomposed.normalize(), password }
}

it('signs in with an email that was stored decomposed, typed in either form', async () => {
  const { decomposed, composed, password } = await migratedAccount()
  for (const email of [decomposed, composed]) {
    const response = await newClient().call(login, { body: { email, password } })
    expect(response.status).toBe(204)
  }
})

it('finds a name that was stored decomposed, typed in either form', async () => {
  const { composed } = await migratedAccount()
  const staff = await signedIn(await account('STAFF'))
  for (const q of ['Nun\u0303ez', 'Nu\u00f1ez']) {
    const { body } = await staff.send(
      'GET',
      `${listUsers.path}?q=${encodeURIComponent(q)}&limit=25`,
    )
    expect(JSON.stringify(body)).toContain(composed)
  }
})

it('composes only the first of several emails with the same composed form', async () => {
  const suffix = randomUUID()
  const forms = ['e\u0323\u0302', '\u1eb9\u0302'].map((typed) => `${typed}.${suffix}@example.com`)
  for (const form of forms) {
    const { email } = await account()
    await sql.query('update users set email = $1 where email = $2', [form, email])
  }
  await sql.query(migration)
  const { rows } = await sql.query<{ email: string }>(
    'select email from users where email like $1',
    [`%${suffix}%`],
  )
  expect(new Set(rows.map(({ email }) => email))).toEqual(
    new Set([forms[0]!.normalize(), forms[1]]),
  )
})

it('keeps two accounts whose emails have the same composed form', async () => {
  const { composed, decomposed } = await migratedAccount()
  const other = await account()
  await sql.query('update users set email = $1 where email = $2', [decomposed, other.email])
  await sql.query(migration)
  const { rows } = await sql.query('select email from users where email = any($1) order by email', [
    [composed, decomposed],
  ])
  expect(rows).toHaveLength(2)
})
