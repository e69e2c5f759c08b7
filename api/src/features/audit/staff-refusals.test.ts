import { randomUUID } from 'node:crypto'
import { getDocumentsOf } from '@guidon/contract/documents'
import {
  deactivateUser,
  listUsers,
  resetUserPassword,
  updateUser,
} from '@guidon/contract/manage-users'
import { boot } from '@guidon/tests/boot'
import { describe, expect, it } from 'vitest'

const testApp = await boot()
const { sql } = testApp

const idOf = async (email: string) => {
  const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [email])
  return rows[0]!.id
}
const newAccount = async (role: 'USER' | 'STAFF' | 'ADMIN') => {
  const account = await testApp.account(role)
  return { ...account, id: await idOf(account.email) }
}
const staffAccount = await newAccount('STAFF')
const staff = await testApp.signedIn(staffAccount)
const admin = await newAccount('ADMIN')
const veteran = await newAccount('USER')

const refusalsOf = async (actorId: string) => {
  const { rows } = await sql.query<{ subject: string | null; details: object; network: string }>(
    `select subject_id as subject, details, network::text
     from audit_events left join audit_sources using (transaction, id)
     where event = 'staff_action_refused' and actor_id = $1 order by transaction, id`,
    [actorId],
  )
  return rows
}

const NEW_PASSWORD = 'Quartz-Meadow-91!'
const newPassword = { newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }
const CONTACT = '0035g00000ZZZZZAA4'

describe('a refused staff action is audited with actor, target, reason and source', () => {
  const unknownId = randomUUID()
  it.each([
    [
      'on a colleague',
      () => staff.call(deactivateUser, { params: { id: admin.id } }),
      admin.id,
      'DELETE /admin/users/{id}',
      403,
      'veterans_only',
    ],
    [
      'on oneself',
      () => staff.call(deactivateUser, { params: { id: staffAccount.id } }),
      staffAccount.id,
      'DELETE /admin/users/{id}',
      409,
      'not_yourself',
    ],
    [
      'on an unknown account',
      () => staff.call(updateUser, { params: { id: unknownId }, body: { boxFolderId: '5' } }),
      unknownId,
      'PATCH /admin/users/{id}',
      404,
      'not_found',
    ],
    [
      'with a contact that does not exist',
      () => staff.call(updateUser, { params: { id: veteran.id }, body: { salesforceId: CONTACT } }),
      veteran.id,
      'PATCH /admin/users/{id}',
      422,
      'contact_unknown',
    ],
    [
      'with a password that is too short',
      () =>
        staff.call(resetUserPassword, {
          params: { id: veteran.id },
          body: { newPassword: 'x', confirmPassword: 'x' },
        }),
      veteran.id,
      'POST /admin/users/{id}/reset-password',
      422,
      'invalid_input',
    ],
    [
      'on the password of a colleague',
      () => staff.call(resetUserPassword, { params: { id: admin.id }, body: newPassword }),
      admin.id,
      'POST /admin/users/{id}/reset-password',
      403,
      'veterans_only',
    ],
  ])('%s', async (_what, act, subject, action, status, code) => {
    const before = await refusalsOf(staffAccount.id)
    expect((await act()).status).toBe(status)
    expect((await refusalsOf(staffAccount.id)).slice(before.length)).toEqual([
      { subject, details: { action, status, code }, network: '127.0.0.0/24' },
    ])
  })

  it('with the id of a CRM contact, but without any other text that was typed', async () => {
    const before = await refusalsOf(staffAccount.id)
    for (const id of [CONTACT, 'maria@example.com', 'mariadelalvarez']) {
      expect((await staff.call(getDocumentsOf, { params: { id } })).status).toBeGreaterThan(400)
    }
    const logged = (await refusalsOf(staffAccount.id)).slice(before.length)
    expect(logged).toMatchObject([
      { details: { contact: CONTACT } },
      { subject: null },
      { subject: null },
    ])
    expect(JSON.stringify(logged)).not.toContain('maria')
  })
})

it('calls of staff routes by a veteran are counted, and the first one of each route is audited at once', async () => {
  const client = await testApp.signedIn(veteran)
  for (let time = 0; time < 20; time += 1) {
    expect((await client.call(listUsers, {})).status).toBe(403)
    const params = { id: randomUUID() }
    expect((await client.call(deactivateUser, { params })).status).toBe(403)
  }
  const logged = await refusalsOf(veteran.id)
  expect(logged.map(({ details }) => details)).toEqual(
    ['GET /admin/users', 'DELETE /admin/users/{id}'].map((action) => ({
      action,
      status: 403,
      code: 'wrong_role',
    })),
  )
  const { rows } = await sql.query(`select count from blocked_tries where actor_id = $1`, [
    veteran.id,
  ])
  expect(rows).toEqual([{ count: 20 }, { count: 20 }])
})

it('responds with 500 if a refusal cannot be audited', async () => {
  await sql.query('alter table audit_events rename to audit_events_elsewhere')
  try {
    const response = await staff.call(deactivateUser, { params: { id: admin.id } })
    expect(response).toMatchObject({ status: 500, body: { code: 'unexpected' } })
  } finally {
    await sql.query('alter table audit_events_elsewhere rename to audit_events')
  }
})
