import { readFileSync } from 'node:fs'
import { listUsers } from '@guidon/contract/manage-users'
import { boot } from '@guidon/tests/boot'
import { expect, it } from 'vitest'

const { account, signedIn, sql } = await boot()
const migration = readFileSync(
  new URL('../../migrations/0015_composed_text.sql', import.meta.url),
  'utf8',
)

it('finds a name that was stored decomposed, typed in either form', async () => {
  const { email } = await account()
  await sql.query(
    `update users set first_name = E'Jose\\u0301', last_name = E'Nun\\u0303ez' where email = $1`,
    [email],
  )
  await sql.query(migration)
  const staff = await signedIn(await account('STAFF'))
  for (const q of ['Nun\u0303ez', 'Nu\u00f1ez']) {
    const { body } = await staff.send(
      'GET',
      `${listUsers.path}?q=${encodeURIComponent(q)}&limit=25`,
    )
    expect(JSON.stringify(body)).toContain(email)
  }
})
