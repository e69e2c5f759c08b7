import { randomUUID } from 'node:crypto'
import { uploadDocument } from '@guidon/contract/documents'
import { UPLOAD_TRIES_A_FILE, UPLOADS_A_DAY } from '@guidon/contract/limits'
import { boot } from '@guidon/tests/boot'
import { samplePdf } from '@guidon/tests/files/made-pdf'
import type { TestClient } from '@guidon/tests/test-client'
import { expect, it } from 'vitest'

const testApp = await boot()
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
     insert into uploads (document_id, user_id, size, sha1, chunks, received_at, stored_at, receipt_job)
     select id, $1, $3, '', 0, now() - make_interval(hours => $4), now(), gen_random_uuid() from document`,
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

it('counts refused files as tries', async () => {
  const { client } = await testApp.signedUp()
  const before = await sql.query<{ key: Buffer }>('select key from limits')
  const known = new Set(before.rows.map(({ key }) => key.toString('hex')))
  expect((await send(client, Buffer.from('no pdf'))).status).toBe(415)
  const { rows } = await sql.query<{ key: Buffer; count: number }>('select key, count from limits')
  const tries = rows.find(({ key }) => !known.has(key.toString('hex')))
  expect(tries!.count).toBe(1)
  await sql.query('update limits set count = $2 where key = $1', [
    tries!.key,
    UPLOADS_A_DAY * UPLOAD_TRIES_A_FILE,
  ])
  const refused = await send(client)
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_upload_tries' } })
  expect(refused.body.message).toContain('in about 24 hours')
  expect(refused.headers.get('retry-after')).toMatch(/^86\d{3}$/)
})
