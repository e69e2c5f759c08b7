import { OTHER_CATEGORY } from '@guidon/contract/documents'
import { connected } from '@guidon/tests/databases'
import {
  bootWithDocuments,
  listOf,
  newName,
  newPdf,
  send,
  WAIT_OPTIONS,
} from '@guidon/tests/documents'
import { mailbox } from '@guidon/tests/mailbox'
import { describe, expect, it, vi } from 'vitest'

const { testApp, org, crmDocument, veteran } = await bootWithDocuments()
const { sql } = testApp

/** Returns a veteran with open requests, from the oldest to the newest. */
async function veteranWithRequests(requests: readonly { name: string; type: string }[]) {
  const one = await veteran()
  const ids: string[] = []
  for (const request of requests) {
    ids.push(await org.staff('request-document', { contactId: one.contactId, ...request }))
  }
  await expect.poll(() => listOf(one.client), WAIT_OPTIONS).toHaveLength(ids.length)
  return { ...one, ids }
}

const letter = { name: 'VA Decision Letter', type: 'Decision letter' }
const secondLetter = { name: 'Second decision letter', type: 'Decision letter' }

describe('an upload without a named request', () => {
  it('answers the oldest open request of its category', async () => {
    const { client, ids } = await veteranWithRequests([letter, secondLetter])
    const { status, body } = await send(client, undefined, { documentType: 'decision Letter' })
    expect(status).toBe(201)
    expect(body.request).toEqual({ id: ids[0], name: letter.name })
    expect(await listOf(client)).toMatchObject([
      { id: ids[1], boxFileId: null },
      { id: body.id, name: body.name, request: { id: ids[0], name: letter.name } },
    ])
    await expect
      .poll(async () => (await crmDocument(body.id))[0]?.['Id'], WAIT_OPTIONS)
      .toBe(ids[0])
    const mirrored = async () =>
      (await sql.query('select from crm_document where id = $1 and name = $2', [ids[0], body.name]))
        .rows.length
    await expect.poll(mirrored, WAIT_OPTIONS).toBe(1)
    expect(await listOf(client)).toContainEqual(
      expect.objectContaining({ id: body.id, request: { id: ids[0], name: letter.name } }),
    )
  })

  it('of another category answers none', async () => {
    const { client, ids } = await veteranWithRequests([letter])
    const { body } = await send(client)
    expect(body.request).toBeNull()
    expect(await listOf(client)).toMatchObject([{ id: ids[0], boxFileId: null }, { id: body.id }])
  })

  it('in the category Other answers none, because Other says nothing about the document', async () => {
    const { client } = await veteranWithRequests([
      { name: 'Marriage certificate', type: OTHER_CATEGORY },
    ])
    const { body } = await send(client, undefined, { documentType: OTHER_CATEGORY })
    expect(body.request).toBeNull()
    expect(await listOf(client)).toHaveLength(2)
  })

  it('answers the next request when another upload answers the oldest at that moment', async () => {
    const { client, userId, ids } = await veteranWithRequests([letter, secondLetter])
    const other = await connected(testApp.config.DATABASE_URL)
    await other.query('begin')
    await other.query(
      `insert into documents (user_id, name, type, size, sha256, crm_id)
       values ($1, 'other.pdf', $2, 1, '', $3)`,
      [userId, letter.type, ids[0]],
    )
    const sending = send(client, undefined, { documentType: letter.type })
    const isWaiting = async () => {
      const { rows } = await sql.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event = 'transactionid'`,
      )
      return rows.length > 0
    }
    await vi.waitUntil(isWaiting, WAIT_OPTIONS)
    await other.query('commit')
    await other.end()
    expect((await sending).body.request?.id).toBe(ids[1])
    expect(await listOf(client)).toHaveLength(2)
  })

  it('that is repeated after a lost response answers no second request', async () => {
    const { client, ids } = await veteranWithRequests([letter, secondLetter])
    const file = { name: newName(), bytes: newPdf() }
    const first = await send(client, file, { documentType: letter.type })
    const again = await send(client, file, { documentType: letter.type })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toMatchObject({ id: first.body.id, request: { id: ids[0] } })
    expect(await listOf(client)).toMatchObject([
      { id: ids[1], boxFileId: null },
      { id: first.body.id },
    ])
  })
})

it('a second file for the same request is stored as a document without a request', async () => {
  const { client, ids } = await veteranWithRequests([letter])
  const fields = { documentType: letter.type, documentId: ids[0] }
  const first = await send(client, undefined, fields)
  const second = await send(client, undefined, fields)
  expect([first.status, second.status]).toEqual([201, 201])
  expect([first.body.request?.id, second.body.request]).toEqual([ids[0], null])
})

it.each([
  [[], 'We do not need any other document from you right now.'],
  [[letter], 'We still need 1 document from you.'],
  [[letter, secondLetter], 'We still need 2 documents from you.'],
])(
  'the email after an upload says how many documents are still requested: %o',
  async (requests, sentence) => {
    const { client, email, userId } = await veteranWithRequests(requests)
    await send(client)
    await sql.query(
      `update pgboss.job set start_after = now() where name = 'documents.send-receipt' and data->>'userId' = $1`,
      [userId],
    )
    const receipt = async () =>
      (await mailbox.mailsTo(email)).find(({ subject }) => subject.includes('received'))?.text
    await expect.poll(receipt, WAIT_OPTIONS).toContain(sentence)
    expect(await receipt()).not.toMatch(/nothing else to do|letter/i)
  },
)
