import { register } from '@guidon/contract/sign-up'
import { boot, NEWCOMER } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { sweepAll } from '@guidon/tests/sweep'
import { expect, it } from 'vitest'

const testApp = await boot({ worker: false })
const { sql } = testApp
const db = databaseAt(testApp.config.DATABASE_URL, 1)

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
