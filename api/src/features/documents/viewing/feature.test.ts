import { randomBytes, randomUUID } from 'node:crypto'
import { replaceDocument } from '@guidon/contract/documents'
import { notFound } from '@guidon/contract/refusal'
import type { RefusalBody } from '@guidon/contract/refusal'
import {
  fileGone,
  filesUnavailable,
  VIEW_MEGABYTES_AN_HOUR,
  VIEWS_A_MINUTE,
} from '@guidon/contract/viewing'
import { boot } from '@guidon/tests/boot'
import { folderOf, newBox } from '@guidon/tests/box'
import { bytesOf, contentFetcher, ownPath, staffPath } from '@guidon/tests/content'
import type { ContentUse } from '@guidon/tests/content'
import { newName, newPdf, send, WAIT_OPTIONS } from '@guidon/tests/documents'
import { photo } from '@guidon/tests/files/photo'
import { linkOf, linkTo } from '@guidon/tests/links'
import { finish, sendInParts } from '@guidon/tests/resumable'
import type { TestClient } from '@guidon/tests/test-client'
import { describe, expect, it } from 'vitest'

const box = await newBox()
const testApp = await boot({
  environment: { ...box.environment, DOCUMENT_VIEWING: 'on' },
  worker: false,
})
const { sql } = testApp
const get = contentFetcher(testApp.base)
const veteran = await testApp.startWorker().then(() => testApp.signedUp())
const staffAccount = await testApp.account('STAFF')
const staff = await testApp.withSession(staffAccount)

async function uploaded(client: TestClient, bytes = newPdf(), name = newName()) {
  const { status, body } = await send(client, { name, bytes })
  expect(status).toBe(201)
  return { id: body.id, bytes, name }
}

const waiting = async () => (await testApp.admin.files.status()).waiting
const allStored = async () => {
  await expect.poll(waiting, WAIT_OPTIONS).toBe(0)
}

/** A file that staff added to the CRM and to Box, without the portal. */
async function fileOfCrm(userId: string, name: string, bytes: Buffer) {
  const folderId = await folderOf(box, sql, userId)
  const { id: boxFileId } = await box.addFile(folderId, randomUUID(), new Uint8Array(bytes))
  const id = `a01${randomUUID().replaceAll('-', '').slice(0, 15)}`
  const contactId = `003${id.slice(3)}`
  if ((await linkOf(sql, userId)).contact === null) await linkTo(sql, { userId }, contactId)
  await sql.query(
    `insert into crm_document (id, modified_at, deleted, contact_id, name, type, box_file_id)
     select $1, now(), false, contact_id, $2, 'Letter', $3 from links where user_id = $4`,
    [id, name, boxFileId, userId],
  )
  return { id, boxFileId }
}

const viewsOf = async (userId: string) => {
  const { rows } = await sql.query<{ actor: string; details: object }>(
    `select u.email as actor, details from audit_events join users u on u.id = actor_id
     where subject_id = $1 and event = 'document_viewed' order by at`,
    [userId],
  )
  return rows
}

const refusedWith = ({ status, code, message }: typeof notFound) => ({
  status,
  body: { code, message },
})
const refusalOf = async (response: Response) => ({
  status: response.status,
  body: (await response.json()) as RefusalBody,
})

describe('a veteran gets the bytes of a document', () => {
  it('after Box has it', async () => {
    const { id, bytes } = await uploaded(veteran.client, newPdf(3_000_000))
    await allStored()
    const response = await get(veteran.client, ownPath(id))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    expect((await bytesOf(response)).equals(bytes)).toBe(true)
  })

  it('before Box has it, and in the newest version while Box has an older one', async () => {
    const { id, bytes, name } = await uploaded(veteran.client)
    await allStored()
    await testApp.stopWorkers()
    const newer = newPdf(2_500_000)
    const replaced = await veteran.client.upload(
      replaceDocument,
      { name, bytes: newer },
      { params: { id } },
    )
    expect(replaced.status).toBe(200)
    expect((await bytesOf(await get(veteran.client, ownPath(id)))).equals(newer)).toBe(true)
    const { id: fresh, bytes: freshBytes } = await uploaded(veteran.client)
    expect((await bytesOf(await get(veteran.client, ownPath(fresh)))).equals(freshBytes)).toBe(true)
    expect(newer.equals(bytes)).toBe(false)
    await testApp.startWorker()
    await allStored()
    expect((await bytesOf(await get(veteran.client, ownPath(id)))).equals(newer)).toBe(true)
  })

  it('in the version that was finished last, although it was started first', async () => {
    await testApp.stopWorkers()
    const { id, name } = await uploaded(veteran.client)
    const newest = newPdf()
    const unfinished = await sendInParts(veteran.client, newest, { replaces: id })
    await veteran.client.upload(replaceDocument, { name, bytes: newPdf() }, { params: { id } })
    expect((await finish(veteran.client, unfinished)).status).toBe(200)
    expect((await bytesOf(await get(veteran.client, ownPath(id)))).equals(newest)).toBe(true)
    await testApp.startWorker()
    await allStored()
  })

  /** Requests a file that a transaction stores meanwhile, as the worker does: all chunks but the first are deleted. */
  async function whileStored(then?: (id: string) => Promise<unknown>) {
    await testApp.stopWorkers()
    const { id, bytes } = await uploaded(veteran.client, newPdf(2_000_000))
    const folderId = await folderOf(box, sql, veteran.userId)
    const { id: boxFileId } = await box.addFile(folderId, randomUUID(), new Uint8Array(bytes))
    await sql.query('begin')
    await sql.query('lock table upload_chunks in access exclusive mode')
    const response = get(veteran.client, ownPath(id))
    const blocked = `select from pg_locks where relation = 'upload_chunks'::regclass and not granted`
    await expect.poll(async () => (await sql.query(blocked)).rowCount, WAIT_OPTIONS).toBe(1)
    const ofUpload = 'upload_id = (select id from uploads where document_id = $1)'
    await sql.query(`delete from upload_chunks where start > 0 and ${ofUpload}`, [id])
    await sql.query('update uploads set stored_at = now() where document_id = $1', [id])
    await sql.query('update documents set box_file_id = $2 where id = $1', [id, boxFileId])
    await then?.(id)
    await sql.query('commit')
    await testApp.startWorker()
    return { read: () => response.then(bytesOf), bytes }
  }

  it('in one piece when the worker stores it meanwhile and deletes its chunks', async () => {
    const { read, bytes } = await whileStored()
    expect((await read()).equals(bytes)).toBe(true)
  })

  it('but never parts of two versions of the same size', async () => {
    const { read } = await whileStored((id) =>
      sql.query(`update documents set sha256 = '' where id = $1`, [id]),
    )
    await expect(read()).rejects.toThrow('terminated')
  })

  it('that only the CRM and Box have, with an extension added to its name', async () => {
    const bytes = newPdf()
    const { id } = await fileOfCrm(veteran.userId, 'Rating decision', bytes)
    const response = await get(veteran.client, ownPath(id))
    expect(response.headers.get('content-disposition')).toContain('filename="Rating decision.pdf"')
    expect((await bytesOf(response)).equals(bytes)).toBe(true)
  })
})

describe('how the browser may use the bytes', () => {
  it('a photo is shown in a sandbox without an origin; nothing is cached', async () => {
    const jpeg = await photo().jpeg().toBuffer()
    const { id } = await uploaded(veteran.client, jpeg, 'Front.jpg')
    const { headers } = await get(veteran.client, ownPath(id, 'view'))
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `inline; filename="Front.jpg"; filename*=UTF-8''Front.jpg`,
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    const download = await get(veteran.client, ownPath(id))
    expect(download.headers.get('content-disposition')).toMatch(/^attachment/)
  })

  it.each([
    ['a PDF', newPdf(), 'application/pdf'],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), 'application/octet-stream'],
    ['an empty file', Buffer.alloc(0), 'application/octet-stream'],
  ])('%s is downloaded, also if it is called a photo', async (_, bytes, type) => {
    const { id } = await fileOfCrm(veteran.userId, 'photo.jpg', bytes)
    const response = await get(veteran.client, ownPath(id, 'view'))
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
    expect((await bytesOf(response)).equals(bytes)).toBe(true)
  })

  it('a check and HEAD respond without bytes', async () => {
    const { id } = await uploaded(veteran.client)
    await allStored()
    const before = (await box.stats()).calls['file.download'] ?? 0
    expect((await get(veteran.client, ownPath(id, 'check'))).status).toBe(204)
    expect((await get(veteran.client, ownPath(id), { method: 'HEAD' })).status).toBe(204)
    expect((await box.stats()).calls['file.download'] ?? 0).toBe(before)
  })
})

describe('staff', () => {
  it('open the file of a veteran, and each view is in the audit log', async () => {
    const { client, userId } = await testApp.signedUp()
    const { id, bytes } = await uploaded(client)
    const response = await get(staff, staffPath(userId, id))
    expect((await bytesOf(response)).equals(bytes)).toBe(true)
    await get(staff, staffPath(userId, id, 'check'))
    await get(staff, staffPath(userId, id), { method: 'HEAD' })
    expect(await viewsOf(userId)).toEqual([
      { actor: staffAccount.email, details: { document: id, as: 'download' } },
    ])
  })

  it('get the same 404 for a colleague, another owner and an unknown id; none is logged as a view', async () => {
    const other = await testApp.signedUp()
    const { id } = await uploaded(veteran.client)
    const colleague = await sql.query<{ id: string }>('select id from users where email = $1', [
      staffAccount.email,
    ])
    for (const owner of [other.userId, colleague.rows[0]!.id, randomUUID(), 'none']) {
      expect(await refusalOf(await get(staff, staffPath(owner, id)))).toEqual(refusedWith(notFound))
      expect(await viewsOf(owner === 'none' ? randomUUID() : owner)).toEqual([])
    }
  })
})

describe('the response has a code and a message when', () => {
  it("the document is another veteran's", async () => {
    const other = await testApp.signedUp()
    const { id } = await uploaded(veteran.client)
    const ofCrm = await fileOfCrm(veteran.userId, 'Letter', newPdf())
    for (const one of [id, ofCrm.id]) {
      const response = await get(other.client, ownPath(one))
      expect(await refusalOf(response)).toEqual(refusedWith(notFound))
    }
  })

  it.each(['check', 'view', 'download'] as const)(
    'a %s is requested of a file that Box no longer has',
    async (as) => {
      const { id, boxFileId } = await fileOfCrm(veteran.userId, 'Letter', newPdf())
      await box.deleteFile(boxFileId)
      const response = await get(veteran.client, ownPath(id, as))
      expect(await refusalOf(response)).toEqual(refusedWith(fileGone))
    },
  )

  it.each(['down', '500', '202'] as const)('Box is not available: %s', async (mode) => {
    const { id } = await fileOfCrm(veteran.userId, 'Letter', newPdf())
    await box.fault({ mode, path: '/2.0/files/**' })
    const response = await get(veteran.client, ownPath(id))
    await box.fault({ mode: 'none' })
    expect(await refusalOf(response)).toEqual(refusedWith(filesUnavailable))
  })

  it('an account has loaded too much in an hour, or opened too many files in a minute', async () => {
    const { client } = await testApp.signedUp()
    const { id } = await uploaded(client)
    await sql.query('delete from limits')
    expect((await get(client, ownPath(id))).status).toBe(200)
    const fill = (max: number, isHour: boolean) =>
      sql.query(
        `update limits set count = $1 where (resets_at > now() + interval '2 minutes') = $2`,
        [max, isHour],
      )
    const refused = async (as: ContentUse) => {
      const { status, body } = await refusalOf(await get(client, ownPath(id, as)))
      return [status, body.message?.replace('You have opened a lot of files. ', '')]
    }
    await fill(VIEW_MEGABYTES_AN_HOUR, true)
    expect(await refused('download')).toEqual([429, 'You can open more in about 1 hour.'])
    expect((await get(client, ownPath(id, 'check'))).status).toBe(204)
    await fill(VIEWS_A_MINUTE, false)
    expect(await refused('check')).toEqual([429, 'You can open more in 1 minute.'])
  })
})

it('a transfer that Box cuts off fails in the browser, too', async () => {
  const { id } = await fileOfCrm(
    veteran.userId,
    'Letter',
    Buffer.concat([newPdf(), randomBytes(900_000)]),
  )
  await box.fault({ mode: 'truncated', path: '/2.0/files/*/content' })
  const response = await get(veteran.client, ownPath(id))
  await expect(bytesOf(response)).rejects.toThrow('terminated')
  await box.fault({ mode: 'none' })
})

it('without the setting, the endpoints respond 404 to those who may call them', async () => {
  const off = await boot({ worker: false, database: testApp.config.DATABASE_URL })
  const getOff = contentFetcher(off.base)
  const { id } = await uploaded(veteran.client)
  for (const [client, path] of [
    [veteran.client, ownPath(id)],
    [staff, staffPath(veteran.userId, id)],
  ] as const) {
    expect(await refusalOf(await getOff(client, path))).toEqual(refusedWith(notFound))
  }
})
