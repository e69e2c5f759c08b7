import { listUsers } from '@guidon/contract/manage-users'
import { boot } from '@guidon/tests/boot'
import { databaseAt } from '@guidon/tests/databases'
import { expect, it } from 'vitest'
import { recordEvent } from '../../db/audit-events.ts'
import { busiestOfStaff } from './staff-actions.ts'

const testApp = await boot()
const { sql } = testApp
const db = databaseAt(testApp.config.DATABASE_URL, 1)
const staff = async () => testApp.withSession(await testApp.account('ADMIN'))
const busiest = async () =>
  Object.fromEntries((await busiestOfStaff(db)).map(({ action, count }) => [action, count]))

it('counts what one member of staff did in the last hour, not all of them together', async () => {
  expect(await busiest()).toEqual({ views: 0, listings: 0, links: 0, resets: 0 })
  const [one, other] = [await staff(), await staff()]
  for (const client of [one, one, other]) await client.call(listUsers, {})
  const veteran = await testApp.signedUp()
  const { rows } = await sql.query<{ id: string }>(`select id from users where role = 'ADMIN'`)
  const [actorId, subjectId] = [rows[0]!.id, veteran.userId]
  for (const event of [
    'link_confirmed',
    'account_linked',
    'password_set_by_staff',
    'document_viewed',
  ] as const)
    await recordEvent(db, { event, actorId, subjectId })
  // Not by staff.
  await recordEvent(db, { event: 'account_linked', subjectId })
  await recordEvent(db, { event: 'account_linked', actorId: subjectId, subjectId })
  expect(await busiest()).toEqual({ views: 1, listings: 2, links: 2, resets: 1 })
  await sql.query(`update audit_events set at = at - interval '1 hour'`)
  expect(await busiest()).toEqual({ views: 0, listings: 0, links: 0, resets: 0 })
})
