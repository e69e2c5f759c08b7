import { randomUUID } from 'node:crypto'
import { uploadsBusy } from '@guidon/contract/document-refusals'
import { uploadDocument } from '@guidon/contract/documents'
import { UPLOAD_GIGABYTES_A_DAY, UPLOAD_TRIES_A_FILE, UPLOADS_A_DAY } from '@guidon/contract/limits'
import { boot } from '@guidon/tests/boot'
import { samplePdf } from '@guidon/tests/files/made-pdf'
import { create, idOf, remove } from '@guidon/tests/resumable'
import type { TestClient } from '@guidon/tests/test-client'
import { expect, it } from 'vitest'
import { tokens } from '../../../platform/tokens.ts'

const testApp = await boot()
const small = await boot({ environment: { UNFINISHED_GIGABYTES: '0.015' } })
const { sql } = testApp
const GIGABYTE = 1024 ** 3

const send = (client: TestClient, bytes = samplePdf()) =>
  client.upload(
    uploadDocument,
    { name: `${randomUUID()}.pdf`, bytes },
    { fields: { documentType: 'Other' } },
  )

/** Inserts earlier uploads without their bytes. */
async function insertUploads(userId: string, count: number, size: number, hoursAgo: number) {
  await sql.query(
    `with document as (
       insert into documents (user_id, name, type, size, sha256)
       select $1, gen_random_uuid()::text, 'Other', $3, '' from generate_series(1, $2) returning id)
     insert into uploads (document_id, user_id, size, sha1, received_at, stored_at, receipt_job)
     select id, $1, $3, '', now() - make_interval(hours => $4), now(), gen_random_uuid() from document`,
    [userId, count, size, hoursAgo],
  )
}

it('refuses an account that has reached its daily number of files, and says when it can send more', async () => {
  const { client, userId } = await testApp.signedUp()
  await insertUploads(userId, UPLOADS_A_DAY - 1, 1_000, 20)
  expect((await send(client)).status).toBe(201)
  const refused = await send(client)
  expect(refused).toMatchObject({ status: 429, body: { code: 'upload_quota' } })
  expect(refused.body.message).toMatch(/200 files or 2 GB\. You can send more in about 4 hours\.$/)
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(3.9 * 3600)
  expect(seconds).toBeLessThanOrEqual(4 * 3600)

  const other = await testApp.signedUp()
  expect((await send(other.client)).status).toBe(201)
})

it('counts the bytes of a day, with the size of the file to be sent', async () => {
  const { client, userId } = await testApp.signedUp()
  await insertUploads(userId, 1, GIGABYTE, 23)
  await insertUploads(userId, 1, GIGABYTE - 100_000, 2)
  expect((await send(client)).status).toBe(201)
  const large = Buffer.concat([samplePdf(), Buffer.alloc(200_000)])
  const refused = await send(client, large)
  expect(refused).toMatchObject({ status: 429, body: { code: 'upload_quota' } })
  expect(refused.body.message).toMatch(/in (\d+ minutes|about 1 hour)/)
})

it('does not count uploads of more than a day ago', async () => {
  const { client, userId } = await testApp.signedUp()
  await insertUploads(userId, UPLOADS_A_DAY, 20_000_000, 25)
  expect((await send(client)).status).toBe(201)
})

/** The counter of an account, as the product names it. */
const keyOf = (name: string, userId: string) =>
  tokens(testApp.config.TOKEN_KEY).hash('limit', `${name}\0${userId}`)
const countOf = async (key: Buffer) =>
  (await sql.query<{ count: number }>('select count from limits where key = $1', [key])).rows[0]
    ?.count

it('counts refused files as tries', async () => {
  const { client, userId } = await testApp.signedUp()
  expect((await send(client, Buffer.from('no pdf'))).status).toBe(415)
  const key = keyOf('upload', userId)
  expect(await countOf(key)).toBe(1)
  await sql.query('update limits set count = $2 where key = $1', [
    key,
    UPLOADS_A_DAY * UPLOAD_TRIES_A_FILE,
  ])
  const refused = await send(client)
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_upload_tries' } })
  expect(refused.body.message).toContain('in about 24 hours')
  expect(refused.headers.get('retry-after')).toMatch(/^86\d{3}$/)
})

it('counts the bytes of uploads that are created and removed, and then says when to come back', async () => {
  const { client, userId } = await testApp.signedUp()
  const hundred = 100 * 1024 * 1024
  const createAndRemove = async () => {
    const created = await create(client, hundred)
    if (created.status === 201) await remove(client, idOf(created))
    return created
  }
  await createAndRemove()
  const key = keyOf('upload megabytes', userId)
  expect(await countOf(key)).toBe(100)
  const day = UPLOAD_GIGABYTES_A_DAY * UPLOAD_TRIES_A_FILE * 1024
  await sql.query('update limits set count = $2 where key = $1', [key, day - 1])
  expect((await createAndRemove()).status).toBe(201)
  const refused = await createAndRemove()
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_upload_tries' } })
  expect(refused.headers.get('retry-after')).toMatch(/^86\d{3}$/)
})

it('starts no further large file while the unfinished ones of all accounts need the space, and says when to come back', async () => {
  const [one, other] = [await small.signedUp(), await small.signedUp()]
  const tenMegabytes = 10 * 1024 * 1024
  const id = idOf(await create(one.client, tenMegabytes))
  const refused = await create(other.client, tenMegabytes)
  expect(refused).toMatchObject({ status: 503, body: { code: uploadsBusy.code } })
  expect(refused.headers.get('retry-after')).toBe('60')
  expect((await send(other.client)).status).toBe(201)
  await remove(one.client, id)
  expect((await create(other.client, tenMegabytes)).status).toBe(201)
})
