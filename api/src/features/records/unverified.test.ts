import { register } from '@guidon/contract/sign-up'
import { boot, NEWCOMER } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { sweepAll } from '@guidon/tests/sweep'
import { describe, expect, it } from 'vitest'

const testApp = await boot({ worker: false })
const { sql } = testApp
const db = databaseAt(testApp.config.DATABASE_URL, 1)

describe('an account whose email was never verified', () => {
  const insertOld = async () => {
    const { rows } = await sql.query<{ id: string }>(
      `insert into users (email, password_hash, first_name, last_name, phone, state, role,
         created_at, terms_accepted_at)
       values (uuidv7() || '@example.com', '', 'Never', 'Proved', '6195550100', 'Ohio', 'USER',
         now() - interval '1 year', now() - interval '8 days') returning id`,
    )
    return rows[0]!.id
  }

  it.each([
    ['was verified meanwhile', `email_verified_at = now()`],
    ['belongs to staff', `role = 'STAFF'`],
    ['was deactivated', `is_active = false`],
    [
      'has a temporary password that has not expired',
      `password_expires_at = now() + interval '1 hour'`,
    ],
    ['signed up again today', `terms_accepted_at = now()`],
  ])('is kept if it %s', async (_how, change) => {
    const id = await insertOld()
    await sql.query(`update users set ${change} where id = $1`, [id])
    expect(await sweepAll(db)).toMatchObject({ users: 0 })
    await sql.query('delete from users where id = $1', [id])
  })

  it.each([
    [
      'code',
      `insert into challenges (token_hash, user_id, purpose, expires_at)
       values (sha256(uuidv7()::text::bytea), $1, 'login', now() + interval '1 minute')`,
    ],
    [
      'link',
      `insert into reset_tokens (token_hash, user_id, expires_at)
       values (sha256(uuidv7()::text::bytea), $1, now() + interval '1 minute')`,
    ],
  ])('is kept while it has a valid %s', async (_what, text) => {
    const id = await insertOld()
    await sql.query(text, [id])
    expect(await sweepAll(db)).toMatchObject({ users: 0 })
    await sql.query('delete from users where id = $1', [id])
  })

  it('is recorded as removed in the audit log, whose seals stay valid', async () => {
    const id = await insertOld()
    await sweepAll(db)
    const { rows } = await sql.query('select event from audit_events where subject_id = $1', [id])
    expect(rows).toEqual([{ event: 'unverified_account_removed' }])
    expect(await testApp.admin.audit.verify()).toMatchObject({ broken: undefined })
  })
})

it('an unverified sign-up is deleted after a day with its challenge, and its email can sign up again', async () => {
  const email = 'late@example.com'
  await testApp.newClient().call(register, { body: { ...NEWCOMER, email } })
  await sql.query(`update sign_ups set created_at = now() - interval '25 hours'`)
  expect(await sweepAll(db)).toMatchObject({ sign_ups: 1 })
  const { rows } = await sql.query('select from challenges where sign_up_id is not null')
  expect(rows).toEqual([])
  const response = await testApp.newClient().call(register, { body: { ...NEWCOMER, email } })
  expect(response.status).toBe(202)
})
