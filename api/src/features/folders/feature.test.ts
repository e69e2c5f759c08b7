import { randomUUID } from 'node:crypto'
import { getDocumentsOf, replaceDocument } from '@guidon/contract/documents'
import { pathOf } from '@guidon/contract/endpoint'
import {
  FOLDER_MESSAGES,
  folderRefused,
  getFolder,
  previewFolder,
  type FolderProblem,
} from '@guidon/contract/folders'
import { updateUser } from '@guidon/contract/manage-users'
import { fileGone } from '@guidon/contract/viewing'
import { boot } from '@guidon/tests/boot'
import { newBox } from '@guidon/tests/box'
import { bytesOf, contentFetcher, ownPath, staffPath } from '@guidon/tests/content'
import { listOf, newName, newPdf, send, WAIT_OPTIONS } from '@guidon/tests/documents'
import { newOrg } from '@guidon/tests/org'
import { describe, expect, it } from 'vitest'

const [box, org] = await Promise.all([newBox(), newOrg()])
const root = await box.addFolder('Veterans')
const testApp = await boot({
  environment: {
    ...org.environment,
    ...box.environment,
    BOX_ROOT_FOLDER_ID: root.id,
    CRM_POLL_SECONDS: '1',
    DOCUMENT_VIEWING: 'on',
  },
})
const { sql } = testApp
const get = contentFetcher(testApp.base)
const staff = await testApp.withSession(await testApp.account('STAFF'))

async function veteran() {
  const { client, userId } = await testApp.signedUp()
  const [contact] = await org.rows<{ Id: string }>('Contact', { Portal_User_Id__c: userId })
  return { client, userId, contactId: contact!.Id }
}
type Veteran = Awaited<ReturnType<typeof veteran>>

const allStored = async () => {
  await expect.poll(async () => (await testApp.admin.files.status()).waiting, WAIT_OPTIONS).toBe(0)
}
async function withStoredFile() {
  const owner = await veteran()
  const file = { name: newName(), bytes: newPdf(3_000) }
  await send(owner.client, file)
  await allStored()
  return { ...owner, bytes: file.bytes, file: await inBox(file.name) }
}
const inBox = async (name: string) => (await box.files()).find((file) => file.name === name)!

/** Staff write this into the file's field in the CRM. */
async function rowWithFile({ client, contactId }: Veteran, fileId: string) {
  const id = await org.staff('request-document', { contactId, name: 'Letter', type: 'Other' })
  await org.staff('change-row', { id, Box_File_Id__c: fileId })
  await expect
    .poll(async () => (await listOf(client)).find((one) => one.id === id)?.boxFileId, WAIT_OPTIONS)
    .toBeTruthy()
  return id
}
/** Staff write this into the folder's field in the CRM. */
async function contactWithFolder({ userId, contactId }: Veteran, folderId: string) {
  await org.staff('edit-contact', { contactId, Box_Folder_Id__c: folderId })
  await expect
    .poll(async () => {
      const { rowCount } = await sql.query(
        'select from case_contact where user_id = $1 and box_folder_id = $2',
        [userId, folderId],
      )
      return rowCount
    }, WAIT_OPTIONS)
    .toBe(1)
}
const problemOf = async ({ userId }: Veteran) =>
  (await staff.call(getFolder, { params: { id: userId } })).body.problem
const staffList = async ({ contactId }: Veteran) =>
  (await staff.call(getDocumentsOf, { params: { id: contactId } })).body
const refusalOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code?: string }).code,
]
const GONE = [fileGone.status, fileGone.code]

describe('a file of another veteran that the CRM names', () => {
  it('is not opened, not for staff either, and staff see why', async () => {
    const victim = await withStoredFile()
    const attacker = await withStoredFile()
    const row = await rowWithFile(attacker, victim.file.id)
    for (const as of ['check', 'view', 'download'] as const) {
      expect(await refusalOf(await get(attacker.client, ownPath(row, as)))).toEqual(GONE)
    }
    expect(await refusalOf(await get(staff, staffPath(attacker.userId, row)))).toEqual(GONE)
    const named = (await staffList(attacker)).find(({ id }) => id === row)
    expect(named).toMatchObject({ fileProblem: 'misplaced' })
    const warnings = testApp
      .logged()
      .split('\n')
      .filter((line) => line.includes('files: a document names a file outside of its folder'))
    expect(warnings).toEqual([expect.stringContaining(attacker.userId)])
  })

  it('is not replaced: the new file goes into the folder of its own veteran', async () => {
    const victim = await withStoredFile()
    const attacker = await withStoredFile()
    await rowWithFile(attacker, victim.file.id)
    const bytes = newPdf(500)
    const { status } = await attacker.client.upload(
      replaceDocument,
      { name: 'x.pdf', bytes },
      { params: { id: victim.file.id } },
    )
    expect(status).toBe(200)
    await allStored()
    expect(await box.bytes(victim.file.id)).toEqual(victim.bytes)
    const own = await box.files(attacker.file.folderId)
    expect(own.map(({ size }) => size)).toContain(bytes.length)
  })

  it('that staff move into the folder is opened, and the problem is gone', async () => {
    const owner = await withStoredFile()
    const elsewhere = await box.addFolder(randomUUID())
    const { id } = await box.addFile(elsewhere.id, 'letter.pdf', new Uint8Array(owner.bytes))
    const row = await rowWithFile(owner, id)
    expect(await refusalOf(await get(owner.client, ownPath(row)))).toEqual(GONE)
    const inside = await box.addFolder('Letters', owner.file.folderId)
    await box.moveFile(id, inside.id)
    expect(await bytesOf(await get(owner.client, ownPath(row)))).toEqual(owner.bytes)
    const named = (await staffList(owner)).find((one) => one.id === row)
    expect(named).toMatchObject({ fileProblem: null })
  })
})

it('a text that is no id stays in the list of the veteran, asks Box for nothing, and staff see it', async () => {
  const owner = await withStoredFile()
  const row = await rowWithFile(owner, '../folders/0/items?fields=name#')
  const before = (await box.requests()).length
  expect(await refusalOf(await get(owner.client, ownPath(row)))).toEqual(GONE)
  expect((await box.requests()).length).toBe(before)
  expect((await listOf(owner.client)).map(({ id }) => id)).toContain(row)
  const named = (await staffList(owner)).find(({ id }) => id === row)
  expect(named).toMatchObject({ fileProblem: 'noId' })
})

describe('a folder that staff enter', () => {
  const give = ({ userId }: Veteran, boxFolderId: string) =>
    staff.call(updateUser, { params: { id: userId }, body: { boxFolderId } })
  const preview = async ({ userId }: Veteran, boxFolderId: string) =>
    (await staff.send('GET', `${pathOf(previewFolder, { id: userId })}?boxFolderId=${boxFolderId}`))
      .body

  it('is shown with its name and the folder that contains it before it is saved', async () => {
    const owner = await veteran()
    const parent = await box.addFolder(randomUUID())
    const { id } = await box.addFolder('Whitfield, James', parent.id)
    expect(await preview(owner, id)).toEqual({
      name: 'Whitfield, James',
      parentName: parent.name,
      problem: null,
    })
    expect((await give(owner, id)).status).toBe(200)
  })

  it('is refused with words if it is the root, unknown, that of all veterans, or inside of another', async () => {
    const other = await withStoredFile()
    const owner = await veteran()
    const inside = await box.addFolder('Inside', other.file.folderId)
    const all = await box.folders()
    const { parentId } = all.find(({ id }) => id === other.file.folderId)!
    const group = all.find(({ id }) => id === parentId)
    expect(group).toMatchObject({ name: other.userId.slice(-2), parentId: root.id })
    const wrong = {
      gone: '999999999999',
      containsOthers: group!.id,
      taken: inside.id,
    } as const
    for (const [problem, id] of Object.entries(wrong)) {
      expect(await preview(owner, id)).toMatchObject({ problem })
      const refused = folderRefused(problem as keyof typeof wrong)
      expect(await give(owner, id)).toMatchObject({
        status: refused.status,
        body: { code: refused.code, message: FOLDER_MESSAGES[problem as keyof typeof wrong] },
      })
    }
    expect(await preview(owner, root.id)).toMatchObject({ problem: 'containsOthers' })
    expect((await give(owner, '0')).status).toBe(422)
    const { rows } = await sql.query('select box_folder_id as folder from users where id = $1', [
      owner.userId,
    ])
    expect(rows).toEqual([{ folder: null }])
  })

  it('cannot be looked up while Box is silent, and is not saved', async () => {
    const owner = await veteran()
    const { id } = await box.addFolder(randomUUID())
    await box.fault({ mode: 'down' })
    expect(await give(owner, id)).toMatchObject({ status: 503, body: { code: 'box_silent' } })
    await box.fault({ mode: 'none' })
  })
})

describe('a folder that the CRM names', () => {
  it('is opened before the first upload, and is the account’s from then on', async () => {
    const owner = await veteran()
    const { id } = await box.addFolder(randomUUID())
    await contactWithFolder(owner, id)
    const name = newName()
    await send(owner.client, { name, bytes: newPdf() })
    await allStored()
    expect((await inBox(name)).folderId).toBe(id)
    const { rows } = await sql.query('select name, problem from box_folders where folder_id = $1', [
      id,
    ])
    expect(rows).toEqual([{ name: expect.any(String), problem: null }])
  })

  it.each([
    ['notAnId', () => '../folders/0'],
    ['gone', () => '999999999998'],
    ['containsOthers', () => root.id],
    ['taken', async () => (await withStoredFile()).file.folderId],
  ] as [FolderProblem, () => string | Promise<string>][])(
    'keeps uploads waiting if it is wrong: %s',
    async (problem, makeId) => {
      const folderId = await makeId()
      const owner = await veteran()
      await contactWithFolder(owner, folderId)
      const count = async () => (await box.files(folderId)).length
      const before = await count()
      const name = newName()
      const { body } = await send(owner.client, { name, bytes: newPdf() })
      await expect.poll(() => testApp.logged(), WAIT_OPTIONS).toContain(`folder_${problem}`)
      expect(await problemOf(owner)).toBe(problem)
      expect((await listOf(owner.client)).find(({ id }) => id === body.id)?.status).toBe('received')
      const { id } = await box.addFolder(randomUUID())
      const fixed = await staff.call(updateUser, {
        params: { id: owner.userId },
        body: { boxFolderId: id },
      })
      expect(fixed.status).toBe(200)
      await allStored()
      expect((await inBox(name)).folderId).toBe(id)
      expect(await count()).toBe(before)
      expect(await problemOf(owner)).toBeNull()
    },
  )

  it('of two contacts belongs to neither until staff decide', async () => {
    const [one, two] = [await veteran(), await veteran()]
    const { id } = await box.addFolder(randomUUID())
    const { id: fileId } = await box.addFile(id, 'letter.pdf', new Uint8Array(newPdf()))
    await contactWithFolder(one, id)
    await contactWithFolder(two, id)
    const row = await rowWithFile(one, fileId)
    expect(await refusalOf(await get(one.client, ownPath(row)))).toEqual(GONE)
    expect(await problemOf(one)).toBe('taken')
  })
})

it('a folder that is gone is not replaced by a new one: the upload waits, and staff see why', async () => {
  const owner = await veteran()
  await sql.query(`update users set box_folder_id = '999999999997' where id = $1`, [owner.userId])
  const folders = (await box.folders()).length
  const { body } = await send(owner.client)
  await expect.poll(() => problemOf(owner), WAIT_OPTIONS).toBe('gone')
  expect((await box.folders()).length).toBe(folders)
  expect((await listOf(owner.client)).find(({ id }) => id === body.id)?.status).toBe('received')
  await sql.query('delete from users where id = $1', [owner.userId])
})
