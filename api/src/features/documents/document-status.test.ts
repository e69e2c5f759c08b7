import { bootWithCases } from '@guidon/tests/case-rows'
import { listOf } from '@guidon/tests/documents'
import { describe, expect, it } from 'vitest'

const { sql, veteran, crmDocument, ownDocument, upload } = await bootWithCases()

const UPLOADED = new Date('2026-11-01T10:00:00.400Z')
const SAME_SECOND = new Date('2026-11-01T10:00:00Z')
const BEFORE = new Date('2026-11-01T09:00:00Z')

it('a request says by when and why the document is needed', async () => {
  const { client, contactId } = await veteran()
  await crmDocument(contactId, {
    due_date: '2026-12-03',
    reason: 'VA asks for it',
    status: 'requested',
  })
  expect(await listOf(client)).toMatchObject([
    { due: '2026-12-03', why: 'VA asks for it', status: 'requested', statusReason: null },
  ])
})

describe('a document that is only in the CRM', async () => {
  const shared = await veteran()
  const file = { box_file_id: '1200', last_uploaded_at: BEFORE }
  const reason = { status_reason: 'Blurred' }
  it.each([
    ['a file and no status', file, 'inRecords', null],
    ['a file and the status requested', { ...file, status: 'requested' }, 'inRecords', null],
    ['a file and the status received', { ...file, status: 'received' }, 'inRecords', null],
    ['a reviewed file', { ...file, status: 'reviewed', ...reason }, 'reviewed', null],
    ['an unusable file', { ...file, status: 'notUsable', ...reason }, 'notUsable', 'Blurred'],
    ['no file and no status', {}, null, null],
    ['no file and the status received', { status: 'received' }, 'requested', null],
    [
      'no file, because it was unusable',
      { status: 'notUsable', ...reason },
      'notUsable',
      'Blurred',
    ],
  ])('with %s', async (_, row, status, statusReason) => {
    const { client, contactId } = shared
    const id = await crmDocument(contactId, { due_date: '2026-12-03', ...row })
    const due = 'box_file_id' in row ? null : '2026-12-03'
    const listed = (await listOf(client)).filter((document) => document.id === id)
    expect(listed).toMatchObject([{ status, statusReason, due }])
  })
})

describe('a document that the veteran uploaded', async () => {
  const shared = await veteran()
  const judged = { box_file_id: '1', status: 'notUsable', status_reason: 'Blurred' }
  it.each([
    ['has the status of its file', { ...judged, last_uploaded_at: SAME_SECOND }, 'notUsable'],
    [
      'is received if it is newer than the file in the CRM',
      { ...judged, last_uploaded_at: BEFORE },
      'received',
    ],
    ['is received if the CRM has no status', { box_file_id: '1' }, 'received'],
    ['is received if the CRM has no file yet', { status: 'requested' }, 'received'],
    [
      'has the status if that is newer and the CRM has no upload time',
      { ...judged, status_since: new Date('2026-11-02') },
      'notUsable',
    ],
  ])('%s', async (_, row, status) => {
    const { client, contactId, userId } = shared
    const crm_id = await crmDocument(contactId, row)
    const id = await ownDocument(userId, { crm_id, uploaded_at: UPLOADED })
    const statusReason = status === 'notUsable' ? 'Blurred' : null
    const listed = (await listOf(client)).filter((document) => document.id === id)
    expect(listed).toMatchObject([{ status, statusReason, due: null, why: null }])
  })

  it('is received, then in the records, and received again while a new version is on its way', async () => {
    const { client, userId } = await veteran()
    const id = await ownDocument(userId)
    const first = await upload(userId, id)
    expect(await listOf(client)).toMatchObject([{ id, status: 'received' }])
    await sql.query('update uploads set stored_at = now() where id = $1', [first])
    await sql.query(`update documents set box_file_id = '1200' where id = $1`, [id])
    expect(await listOf(client)).toMatchObject([{ id, status: 'inRecords' }])
    await upload(userId, id)
    expect(await listOf(client)).toMatchObject([{ id, status: 'received' }])
  })

  it('has no status if the file store refused it', async () => {
    const { client, userId } = await veteran()
    const id = await ownDocument(userId, { box_file_id: '1200' })
    await upload(userId, id, { refused_at: UPLOADED })
    expect(await listOf(client)).toMatchObject([{ id, status: null }])
  })

  it('shows nothing of a row that belongs to another contact now', async () => {
    const [one, other] = [await veteran(), await veteran()]
    const crm_id = await crmDocument(other.contactId, {
      ...judged,
      last_uploaded_at: SAME_SECOND,
    })
    await ownDocument(one.userId, { crm_id, uploaded_at: UPLOADED })
    expect(await listOf(one.client)).toMatchObject([{ status: 'received', statusReason: null }])
  })
})
