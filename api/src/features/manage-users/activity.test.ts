import { login } from '@guidon/contract/auth'
import { getActivity, updateUser } from '@guidon/contract/manage-users'
import { newBox } from '@guidon/tests/box'
import { PASSWORD } from '@guidon/tests/outside/account'
import { bootWithStaff } from '@guidon/tests/staff'
import { expect, it } from 'vitest'

const box = await newBox()
const { testApp, newAccount, staff } = await bootWithStaff(box.environment)
const { sql } = testApp

it('shows the owner the events of the account, newest first, and none of others', async () => {
  const veteran = await newAccount()
  await testApp.signedIn(await newAccount())
  const { id: boxFolderId } = await box.addFolder('Alvarez')
  await staff.call(updateUser, { params: { id: veteran.id }, body: { boxFolderId } })
  await testApp
    .newClient()
    .call(login, { body: { email: veteran.email, password: `${PASSWORD}x` } })
  const client = await testApp.signedIn(veteran)
  const { body } = await client.call(getActivity, {})
  expect(body.map(({ what }) => what)).toEqual([
    'Signed in on a new device',
    'Sign-in refused',
    'Folder for your documents changed by our staff',
    'Account created by our staff',
  ])
  const times = body.map(({ at }) => Date.parse(at))
  expect(times).toEqual(times.toSorted((a, b) => b - a))
})

it('shows the newest fifty events', async () => {
  const veteran = await newAccount()
  const client = await testApp.signedIn(veteran)
  await sql.query(
    `insert into audit_events (event, subject_id)
     select 'document_uploaded', $1 from generate_series(1, 60)`,
    [veteran.id],
  )
  const { body } = await client.call(getActivity, {})
  expect(new Set(body.map(({ what }) => what))).toEqual(new Set(['Document uploaded']))
  expect(body).toHaveLength(50)
})
