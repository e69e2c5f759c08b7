import { randomBytes } from 'node:crypto'
import { getDocuments } from '@guidon/contract/documents'
import { VIEWS_AT_ONCE } from '@guidon/contract/viewing'
import { boot } from '@guidon/tests/boot'
import { folderOf, newBox } from '@guidon/tests/box'
import { contentFetcher, ownPath } from '@guidon/tests/content'
import { newPdf, send, WAIT_OPTIONS } from '@guidon/tests/documents'
import { expect, it } from 'vitest'

const box = await newBox()
const testApp = await boot({
  environment: { ...box.environment, DOCUMENT_VIEWING: 'on', DATABASE_POOL: '2' },
})
const { sql } = testApp
const get = contentFetcher(testApp.base)

/** Large enough to fill every buffer between Box and the client. */
const LARGE = 24_000_000

async function withLargeFile() {
  const { client, userId } = await testApp.signedUp()
  const { body } = await send(client)
  await expect.poll(async () => (await testApp.admin.files.status()).waiting, WAIT_OPTIONS).toBe(0)
  const folderId = await folderOf(box, sql, userId)
  const { id } = await box.addFile(folderId, `${body.id}.pdf`, new Uint8Array(randomBytes(LARGE)))
  await sql.query('update documents set box_file_id = $2 where id = $1', [body.id, id])
  return { client, id: body.id }
}

/** Requests the file and reads only its start. */
async function openSlowly(client: Parameters<typeof get>[0], id: string) {
  const leaving = new AbortController()
  const response = await get(client, ownPath(id), { signal: leaving.signal })
  const reader = response.body!.getReader()
  await reader.read()
  return { leave: () => leaving.abort(), status: response.status }
}

const abandoned = async () => (await box.stats()).abandoned

it('a client that leaves ends the transfer from Box', async () => {
  const { client, id } = await withLargeFile()
  const before = await abandoned()
  const { leave } = await openSlowly(client, id)
  leave()
  await expect.poll(abandoned, WAIT_OPTIONS).toBe(before + 1)
})

it('a client that leaves while Box is silent ends the call, too', async () => {
  const { client, id } = await withLargeFile()
  const before = await abandoned()
  await box.fault({ mode: 'hang', path: '/2.0/files/*/content' })
  const leaving = new AbortController()
  const response = get(client, ownPath(id), { signal: leaving.signal })
  await box.waitForHeldCall()
  leaving.abort()
  await expect(response).rejects.toThrow('aborted')
  await expect.poll(abandoned, WAIT_OPTIONS).toBe(before + 1)
  await box.fault({ mode: 'none' })
})

it('slow clients hold no connection to the database, and an account has three transfers at once', async () => {
  const { client, id } = await withLargeFile()
  const open = await Promise.all(
    Array.from({ length: VIEWS_AT_ONCE }, () => openSlowly(client, id)),
  )
  expect((await client.call(getDocuments, {})).status).toBe(200)
  const refused = await get(client, ownPath(id))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  const other = await withLargeFile()
  const { leave, status } = await openSlowly(other.client, other.id)
  expect(status).toBe(200)
  for (const one of [...open, { leave }]) one.leave()
  // The slots are free again.
  const next = async () => {
    const { status: seen, body } = await get(client, ownPath(id))
    await body?.cancel()
    return seen
  }
  await expect.poll(next, WAIT_OPTIONS).toBe(200)
})

it('slow clients hold no connection for a file that is not in Box yet, either', async () => {
  const { client } = await testApp.signedUp()
  await testApp.stopWorkers()
  const { body } = await send(client, { name: 'waiting.pdf', bytes: newPdf(9_000_000) })
  const open = await Promise.all(
    Array.from({ length: VIEWS_AT_ONCE }, () => openSlowly(client, body.id)),
  )
  expect((await client.call(getDocuments, {})).status).toBe(200)
  for (const { leave } of open) leave()
})
