import { checkAuth } from '@guidon/contract/auth'
import { getCaseVersion } from '@guidon/contract/case-activity'
import type { Endpoint } from '@guidon/contract/endpoint'
import { getTodo } from '@guidon/contract/todo'
import { bootWithCases, day } from '@guidon/tests/case-rows'
import { unlinked } from '@guidon/tests/links'
import { expect, it } from 'vitest'

const { sql, insert, veteran, crmDocument, ownDocument, upload, appointment, claim } =
  await bootWithCases()

/** A veteran with a row of every kind that Home shows. */
async function withEverything() {
  const one = await veteran()
  const { contactId, userId, client } = one
  const row = { modified_at: new Date(), deleted: false }
  const managerId = await insert('crm_user', { id: `005${contactId}`, name: 'Dana Reyes', ...row })
  await insert('crm_contact', { id: contactId, case_manager_id: managerId, ...row })
  const documentId = await ownDocument(userId)
  const ids = {
    contactId,
    userId,
    managerId,
    documentId,
    uploadId: await upload(userId, documentId),
    requestId: await crmDocument(contactId),
    appointmentId: await appointment(contactId),
    claimId: await claim(contactId),
  }
  const version = async () => (await client.call(getCaseVersion, {})).body.version
  return { ids, version }
}
type Ids = Awaited<ReturnType<typeof withEverything>>['ids']

const set = (table: string, id: keyof Ids, change: string) => (ids: Ids) =>
  sql.query(`update ${table} set ${change} where id = $1`, [ids[id]])

it.each([
  ['the contact', set('crm_contact', 'contactId', `city = 'Reno'`)],
  ['the link to the contact', ({ userId }: Ids) => unlinked(sql, userId)],
  ['the case manager', set('crm_user', 'managerId', `phone = '8005550100'`)],
  ['an appointment', set('crm_appointment', 'appointmentId', `time = '10:00'`)],
  ['a new appointment', ({ contactId }: Ids) => appointment(contactId, { date: day(60) })],
  ['a canceled appointment', set('crm_appointment', 'appointmentId', 'scheduled = false')],
  ['a request', set('crm_document', 'requestId', `reason = 'VA asks for it'`)],
  ['a deleted request', set('crm_document', 'requestId', 'deleted = true')],
  ['an own document', set('documents', 'documentId', `name = 'other.pdf'`)],
  ['a new own document', ({ userId }: Ids) => ownDocument(userId)],
  ['a file that is stored', set('uploads', 'uploadId', 'stored_at = now()')],
  ['a file that is refused', set('uploads', 'uploadId', 'refused_at = now()')],
  ['a claim', set('crm_claim', 'claimId', `stage = 'Intake'`)],
  [
    'the intake',
    ({ userId }: Ids) =>
      insert('intakes', {
        user_id: userId,
        key_id: 'k',
        sealed: '',
        step: 'goal',
        version: 1,
        submitted_at: new Date(),
      }),
  ],
])('the version changes with %s', async (_, change) => {
  const { ids, version } = await withEverything()
  const before = await version()
  expect(await version()).toBe(before)
  await change(ids)
  expect(await version()).not.toBe(before)
})

it('the response says whether an upload can be continued', async () => {
  const { client, userId } = await veteran()
  const row = { user_id: userId, name: 'a.pdf', size: 1, expires_at: new Date(Date.now() + 60_000) }
  const hasUnfinished = async () =>
    (await client.call(getCaseVersion, {})).body.hasUnfinishedUploads
  expect(await hasUnfinished()).toBe(false)
  // None of these can be continued: one that is sent in a single request has no name.
  await insert('unfinished_uploads', { ...row, name: null })
  await insert('unfinished_uploads', { ...row, expires_at: new Date(0) })
  await insert('unfinished_uploads', { ...row, document_id: await ownDocument(userId) })
  expect(await hasUnfinished()).toBe(false)
  await insert('unfinished_uploads', row)
  expect(await hasUnfinished()).toBe(true)
})

it('the version stays the same while rows of another veteran change, and while a worker sends a document', async () => {
  const [one, other] = [await withEverything(), await withEverything()]
  const before = await one.version()
  await appointment(other.ids.contactId)
  await crmDocument(other.ids.contactId)
  await claim(other.ids.contactId)
  await set('documents', 'documentId', `claimed_until = now()`)(one.ids)
  expect(await one.version()).toBe(before)
})

it.each<[string, Endpoint, number]>([
  ['is not reached while the screen is used', getTodo, 200],
  ['is reached although an open screen asks for the version', getCaseVersion, 401],
])('the idle limit of a session %s', async (_, { method, path }, status) => {
  const { client, userId } = await veteran()
  const letPass = (minutes: number) =>
    sql.query(
      `update sessions set last_seen_at = last_seen_at - make_interval(mins => $1) where user_id = $2`,
      [minutes, userId],
    )
  for (const minutes of [10, 10]) {
    await letPass(minutes)
    expect((await client.send(method, path)).status).toBe(200)
  }
  await letPass(11)
  expect((await client.send(method, path)).status).toBe(status)
  expect((await client.call(checkAuth, {})).status).toBe(status)
})
