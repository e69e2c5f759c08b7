import { existsSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBox } from './box.ts'
import type { Box } from './box.ts'
import { BoxSandboxClient } from './client.ts'
import { filesOnDisk, refusal, sdkFor, sha1, uploadOf } from './sdk.ts'

let box: Box
let sdk: ReturnType<typeof sdkFor>
let sandbox: BoxSandboxClient

beforeEach(async () => {
  box = await startBox()
  sdk = sdkFor(box)
  sandbox = new BoxSandboxClient(box.url)
})
afterEach(() => box.close())

const uploaded = async (name: string, bytes: Buffer | string, folderId = '0') =>
  (await sdk.uploads.uploadFile(uploadOf(name, bytes, folderId))).entries![0]!

describe('the token', () => {
  it('is requested once and used for many calls', async () => {
    await sdk.folders.getFolderById('0')
    await sdk.folders.getFolderById('0')
    expect((await sandbox.stats()).calls).toEqual({ token: 1, 'folder.get': 2 })
  })

  it.each([
    ['secret', { clientSecret: 'wrong' }, 'invalid_client'],
    ['enterprise', { enterpriseId: '1' }, 'invalid_grant'],
  ])('is refused for a wrong %s', async (_what, changes, error) => {
    const unauthorized = sdkFor(box, {}, { ...box.credentials, ...changes })
    const { statusCode, body } = await refusal(unauthorized.folders.getFolderById('0'))
    expect(statusCode).toBe(400)
    expect(body).toMatchObject({ error })
  })

  it('is required for every call', async () => {
    const response = await fetch(`${box.url}/2.0/folders/0`)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain('invalid_token')
    const body = { type: 'error', status: 401, code: 'unauthorized' }
    expect(await response.json()).toMatchObject(body)
  })

  it('expires, and Box’s SDK requests a new one', async () => {
    await sdk.folders.getFolderById('0')
    await sandbox.fault({ mode: 'expired-token', times: 1 })
    expect((await sdk.folders.getFolderById('0')).name).toBe('All Files')
    expect((await sandbox.stats()).calls).toEqual({ token: 2, 'folder.get': 3 })
  })
})

describe('folders', () => {
  it('are created once: a conflict names the existing folder', async () => {
    const folder = { name: 'James Whitfield', parent: { id: '0' } }
    const created = await sdk.folders.createFolder(folder)
    const { statusCode, body } = await refusal(sdk.folders.createFolder(folder))
    expect(statusCode).toBe(409)
    expect(body).toMatchObject({ type: 'error', status: 409, code: 'item_name_in_use' })
    expect(body.request_id).toMatch(/^[0-9a-f]+$/)
    const [conflict] = body.context_info!.conflicts as { id: string; type: string }[]
    expect(conflict).toMatchObject({ type: 'folder', id: created.id })
    expect(await sdk.folders.getFolderById(conflict!.id)).toMatchObject({
      name: 'James Whitfield',
      parent: { id: '0' },
    })
  })

  it('list their items in pages, by offset or by marker', async () => {
    for (const name of ['c', 'a', 'b']) await uploaded(`${name}.pdf`, name)
    await sdk.folders.createFolder({ name: 'z', parent: { id: '0' } })
    const page = (queryParams: object) => sdk.folders.getFolderItems('0', { queryParams })
    const names = ({ entries }: { entries?: readonly { name?: string }[] }) =>
      entries!.map(({ name }) => name)
    const first = await page({ limit: 2 })
    expect(first).toMatchObject({ totalCount: 4, offset: 0, limit: 2 })
    expect(names(first)).toEqual(['z', 'a.pdf'])
    expect(names(await page({ limit: 2, offset: 2 }))).toEqual(['b.pdf', 'c.pdf'])
    const { nextMarker } = await page({ usemarker: true, limit: 3 })
    const rest = await page({ usemarker: true, marker: nextMarker, limit: 3 })
    expect(names(rest)).toEqual(['c.pdf'])
    expect(rest.nextMarker ?? undefined).toBeUndefined()
  })

  it.each([
    ['a/b', 'item_name_invalid'],
    [' a', 'item_name_invalid'],
    ['..', 'item_name_invalid'],
    ['x'.repeat(256), 'item_name_too_long'],
  ])('cannot have the name %j', async (name, code) => {
    const { body } = await refusal(sdk.folders.createFolder({ name, parent: { id: '0' } }))
    expect(body).toMatchObject({ status: 400, code })
  })

  it('are not found if they do not exist', async () => {
    const { body } = await refusal(sdk.folders.getFolderById('17'))
    expect(body).toMatchObject({ status: 404, code: 'not_found' })
  })
})

describe('files', () => {
  it('have the requested fields', async () => {
    const { id } = await uploaded('DD-214.pdf', 'one')
    const file = await sdk.files.getFileById(id)
    expect(file).toMatchObject({ name: 'DD-214.pdf', size: 3, sha1: sha1('one'), etag: '0' })
    expect(file).toMatchObject({ sequenceId: '0', parent: { id: '0' }, itemStatus: 'active' })
    const some = await sdk.files.getFileById(id, { queryParams: { fields: ['size'] } })
    expect(some.rawData).toEqual({ type: 'file', id, etag: '0', size: 3 })
  })

  it('are deleted with their bytes, and their name can be used again', async () => {
    const { id } = await uploaded('DD-214.pdf', 'one')
    await sdk.files.deleteFileById(id)
    expect((await refusal(sdk.files.getFileById(id))).body).toMatchObject({ code: 'trashed' })
    expect(await filesOnDisk(box)).toBe(0)
    expect((await uploaded('DD-214.pdf', 'one')).id).not.toBe(id)
  })

  it('are removed from disk when the sandbox closes', async () => {
    await uploaded('DD-214.pdf', 'one')
    await box.close()
    expect(existsSync(box.folder)).toBe(false)
  })
})
