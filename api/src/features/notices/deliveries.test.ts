import { getEmailReachable } from '@guidon/contract/notices'
import { boot } from '@guidon/tests/boot'
import { expect, it } from 'vitest'

const testApp = await boot()
const { sql } = testApp

async function accountWithId(role?: 'STAFF') {
  const { email } = await testApp.account(role)
  const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [email])
  return rows[0]!.id
}

it('staff see whether emails to a veteran came back, without an entry in the audit log', async () => {
  const id = await accountWithId()
  const staff = await testApp.withSession(await testApp.account('STAFF'))
  const read = () => staff.call(getEmailReachable, { params: { id } })
  expect((await read()).body).toEqual({ emailReachable: true })
  await sql.query(
    `insert into deliveries (id, user_id, kinds, state, result)
     select uuidv7(), $1, '{code}', 'failed', '5.1.1' from generate_series(1, 2)`,
    [id],
  )
  expect((await read()).body).toEqual({ emailReachable: false })
  const views = `select event from audit_events where subject_id = $1 and event like '%viewed'`
  const audit = await sql.query(views, [id])
  expect(audit.rows).toEqual([])
})

it('staff do not see whether emails to a colleague came back, and an unknown account is not found', async () => {
  const staff = await testApp.withSession(await testApp.account('STAFF'))
  const statusOf = async (id: string) =>
    (await staff.call(getEmailReachable, { params: { id } })).status
  expect(await statusOf(await accountWithId('STAFF'))).toBe(403)
  expect(await statusOf('019a0000-0000-7000-8000-000000000000')).toBe(404)
})
