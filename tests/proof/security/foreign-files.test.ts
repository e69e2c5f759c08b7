import { randomUUID } from 'node:crypto'
import { replaceDocument } from '@guidon/contract/documents'
import type { SandboxFile } from '@guidon/sandbox/box/client'
import { expect, it, vi } from 'vitest'
import { boot } from '../../support/boot.ts'
import { folderOf, newBox } from '../../support/box.ts'
import { limitedConcurrency } from '../../support/concurrency.ts'
import { bytesOf, contentFetcher, ownPath, staffPath } from '../../support/content.ts'
import type { ContentUse } from '../../support/content.ts'
import { listOf, newFile, newName, send } from '../../support/documents.ts'
import { samplePdf, streamOf } from '../../support/files/made-pdf.ts'
import { linkTo } from '../../support/links.ts'
import { NO_UPLOAD_QUOTA } from '../../support/no-upload-quota.ts'
import type { TestClient } from '../../support/test-client.ts'
import { figures, headline } from '../figures.ts'
import { smallOrFull } from '../size.ts'

/**
 * The CRM's fields for ids are free text. Each shape is once the file of an attacker's document, which is checked, opened,
 * loaded by the attacker and by staff, and replaced; some are the folder of an account that then uploads a file.
 */

const FILE_SHAPES = smallOrFull(40, 200)
const FOLDER_SHAPES = smallOrFull(8, 48)
const CONCURRENT = 3
vi.setConfig({ testTimeout: smallOrFull(500_000, 3_000_000) })

const box = await newBox()
const root = await box.addFolder('Veterans')
const testApp = await boot({
  environment: {
    ...box.environment,
    ...NO_UPLOAD_QUOTA,
    BOX_ROOT_FOLDER_ID: root.id,
    DOCUMENT_VIEWING: 'on',
  },
})
const { sql } = testApp
const get = contentFetcher(testApp.base)
const staff = await testApp.withSession(await testApp.account('STAFF'))

const MARK = 'Only for the victim'
const secret = () => samplePdf(1, streamOf(`% ${MARK} ${randomUUID()}`))

interface Veteran {
  client: TestClient
  userId: string
  contactId: string
}

async function veteran(boxFolderId: string | null = null): Promise<Veteran> {
  const { client, userId } = await testApp.signedUp()
  const contactId = `003${randomUUID().replaceAll('-', '').slice(0, 15)}`
  await sql.query(
    `insert into crm_contact (id, modified_at, deleted, box_folder_id) values ($1, now(), false, $2)`,
    [contactId, boxFolderId],
  )
  await linkTo(sql, { userId }, contactId)
  return { client, userId, contactId }
}

async function documentInCrm({ contactId }: Veteran, fileId: string): Promise<string> {
  const id = `a01${randomUUID().replaceAll('-', '').slice(0, 15)}`
  await sql.query(
    `insert into crm_document (id, modified_at, deleted, contact_id, name, type, box_file_id)
     values ($1, now(), false, $2, $3, 'Letter', $4)`,
    [id, contactId, newName(), fileId],
  )
  return id
}

/** What must not be read or changed: files of victims in each place, and files of the provider. */
async function prepareVictims() {
  const [one, two] = [await veteran(), await veteran()]
  const folders = [await folderOf(box, sql, one.userId), await folderOf(box, sql, two.userId)]
  const group = await box.addFolder('c7', root.id)
  const inside = await box.addFolder('Medical', folders[0])
  const nested = await box.addFolder('Of nobody', group.id)
  const places = [...folders, group.id, inside.id, nested.id, root.id, '0']
  const files: SandboxFile[] = []
  for (const place of places) {
    files.push(await box.addFile(place, newName(), new Uint8Array(secret())))
  }
  // The id of an earlier version is no id of a file.
  await box.addFile(folders[0]!, files[0]!.name, new Uint8Array(secret()))
  const trashed = await box.addFile(folders[1]!, newName(), new Uint8Array(secret()))
  await box.deleteFile(trashed.id)
  return {
    folders: places,
    nested: nested.id,
    files,
    trashed,
    versions: [files[0]!.versions[0]!.id],
  }
}
type Victims = Awaited<ReturnType<typeof prepareVictims>>

const inDigits = (id: string, write: (digit: number) => string) =>
  id.replaceAll(/\d/g, (digit) => write(Number(digit)))

/** Ways to write an id so that it could become another one, another address, or the id that stands before it. */
const SPELLINGS: readonly ((id: string) => string)[] = [
  (id) => `0${id}`,
  (id) => ` ${id}`,
  (id) => `${id} `,
  (id) => `${id}\n`,
  (id) => `${id}\t`,
  (id) => `\u00a0${id}`,
  (id) => `\ufeff${id}`,
  (id) => `${id}\u200b`,
  (id) => `+${id}`,
  (id) => `${id}.0`,
  (id) => `${id}e0`,
  (id) => `${id},${id}`,
  (id) => `${id}/`,
  (id) => `${id}#`,
  (id) => `${id}?`,
  (id) => `${id}/content`,
  (id) => `${id}/content?x=`,
  (id) => `${id}/versions`,
  (id) => `${id}?version=`,
  (id) => `./${id}`,
  (id) => `../files/${id}`,
  (id) => `..%2ffiles%2f${id}`,
  (id) => `..\\files\\${id}`,
  (id) => `%2e%2e/files/${id}`,
  (id) => `1/../${id}`,
  (id) => `//${id}`,
  (id) => `;${id}`,
  (id) => `${id};`,
  (id) => `'${id}'`,
  (id) => `"${id}"`,
  (id) => `%${id}`,
  (id) => `${id}%00`,
  (id) => `${id}%0d%0aX: 1`,
  (id) => `${id}\r\nX: 1`,
  (id) => inDigits(id, (digit) => `%3${digit}`),
  (id) => inDigits(id, (digit) => String.fromCodePoint(0xff10 + digit)),
  (id) => inDigits(id, (digit) => String.fromCodePoint(0x660 + digit)),
  (id) => inDigits(id, (digit) => String.fromCodePoint(0x1d7ce + digit)),
  (id) => `0x${BigInt(id).toString(16)}`,
  (id) => `${id}${'0'.repeat(30)}`,
]

const ADDRESSES = [
  '../users/me?fields=name,login,space_used#',
  '../folders/0/items?fields=name,size,sha1,parent#',
  '../folders/0#',
  '../../oauth2/token#',
  '..',
  '.',
  '/',
  '0',
  '-1',
  'null',
  'undefined',
  'NaN',
  '*',
  'content',
  'upload_sessions',
  '\ud83d\ude00',
  '\u202e12345',
  '1'.repeat(21),
  '9'.repeat(20),
  '1'.repeat(65_536),
  '../'.repeat(20_000),
]

/** The first ones are those with which something could be read at once. */
function shapesOf(ids: readonly string[], count: number): string[] {
  const spelled = SPELLINGS.flatMap((spelling) => ids.map((id) => spelling(id)))
  const step = Math.max(1, Math.floor(spelled.length / count))
  const spread = spelled.filter((_, index) => index % step === 0)
  const shapes = [...new Set([...ids, ...ADDRESSES, ...spread, ...spelled])].slice(0, count)
  expect(shapes).toHaveLength(count)
  // PostgreSQL stores no NUL, and neither does the CRM.
  return shapes.map((shape) => shape.replaceAll('\0', ''))
}

const counts = { requests: 0, opened: 0, bytesRead: 0, replaced: 0, uploaded: 0 }

async function tryFile(attacker: Veteran, shape: string): Promise<void> {
  const id = await documentInCrm(attacker, shape)
  await sql.query('delete from limits')
  for (const as of ['check', 'view', 'download'] as ContentUse[]) {
    for (const [client, path] of [
      [attacker.client, ownPath(id, as)],
      [staff, staffPath(attacker.userId, id, as)],
    ] as const) {
      const response = await get(client, path)
      const body = await bytesOf(response)
      counts.requests += 1
      if (response.ok) counts.opened += 1
      if (response.ok) counts.bytesRead += body.length
    }
  }
  const listed = (await listOf(attacker.client)).map((document) => document.id)
  if (!listed.includes(id)) throw new Error(`the document is not listed: ${shape.slice(0, 60)}`)
  counts.requests += 1
  const { status } = await attacker.client.upload(replaceDocument, newFile(500), {
    params: { id: shape.slice(0, 2_000) },
  })
  if (status === 200) counts.replaced += 1
}

/** Until a worker has tried each upload: it is in Box, or waits for the next try. */
const tried = () =>
  vi.waitUntil(
    async () => {
      const { rowCount } = await sql.query(
        `select from uploads u where stored_at is null and refused_at is null and not exists (
           select from pgboss.job j where name = 'documents.store' and state in ('retry', 'failed')
             and data->>'documentId' = u.document_id::text)`,
      )
      return rowCount === 0
    },
    { timeout: 300_000, interval: 250 },
  )

const DIGITS = /^[1-9]\d{0,19}$/
/** Says where a file is, and nothing else. */
const PLACE = new Set(['etag', 'sha1', 'file_version', 'path_collection'])

/** The calls of Box that read or write something of others, beyond where a file or folder is. */
async function callsOutside(own: ReadonlySet<string>): Promise<string[]> {
  const outside = (await box.requests()).filter(({ kind, url }) => {
    const { pathname, searchParams } = new URL(url, 'http://box')
    const id = /^(?:\/api)?\/2\.0\/(?:files|folders)\/([^/]+)/.exec(pathname)?.[1]
    if (kind === 'unknown' || kind === 'user.me') return true
    if (kind === 'file.get') {
      const fields = (searchParams.get('fields') ?? 'all').split(',')
      return !DIGITS.test(id ?? '') || !fields.every((field) => PLACE.has(field))
    }
    if (kind === 'folder.get') {
      const fields = (searchParams.get('fields') ?? 'all').split(',')
      return (
        !DIGITS.test(id ?? '') || !fields.every((field) => /^(?:name|path_collection)$/.test(field))
      )
    }
    const ofItem = [
      'file.download',
      'upload.version',
      'file.versions',
      'folder.items',
      'file.delete',
    ]
    return ofItem.includes(kind) && !own.has(id ?? '')
  })
  return outside.map(({ kind, url }) => `${kind} ${url.slice(0, 100)}`)
}

const stateOf = async ({ folders }: Victims) => {
  const files = (await box.files()).filter(({ folderId }) => folders.includes(folderId))
  return files
    .map(({ id, name, folderId, versions }) => JSON.stringify([id, name, folderId, versions]))
    .toSorted()
}

it('no id in the CRM opens, replaces or adds a file outside of the folder of its veteran', async () => {
  const victims = await prepareVictims()
  const before = await stateOf(victims)
  const { rows: found } = await sql.query<{ id: string }>(
    'select id from users where box_folder_id = $1',
    [victims.folders[0]],
  )
  const victimId = found[0]!.id
  const ids = [
    ...victims.files.map(({ id }) => id),
    ...victims.folders.filter((id) => id !== '0'),
    ...victims.versions,
    victims.trashed.id,
  ]

  const attackers: Veteran[] = []
  for (let count = 0; count < CONCURRENT; count += 1) {
    const attacker = await veteran()
    await folderOf(box, sql, attacker.userId)
    attackers.push(attacker)
  }
  const fileShapes = shapesOf(ids, FILE_SHAPES)
  await Promise.all(
    attackers.map(async (attacker, number) => {
      for (let index = number; index < fileShapes.length; index += CONCURRENT) {
        await tryFile(attacker, fileShapes[index]!)
      }
    }),
  )

  // A folder that is nobody's may become an account's.
  const taken = victims.folders.filter((id) => id !== victims.nested)
  const folderShapes = shapesOf(taken, FOLDER_SHAPES)
  const uploaders = await limitedConcurrency(
    folderShapes.length,
    async (index) => {
      const uploader = await veteran(folderShapes[index])
      const { status } = await send(uploader.client, newFile(500))
      if (status === 201) counts.uploaded += 1
      return uploader
    },
    CONCURRENT,
  )
  await tried()

  const after = await stateOf(victims)
  const own = new Set<string>()
  const { rows } = await sql.query<{ folder: string }>(
    'select box_folder_id as folder from users where box_folder_id is not null and id <> $1',
    [victimId],
  )
  const ownFolders = new Set(rows.map(({ folder }) => folder))
  for (const folder of victims.folders) ownFolders.delete(folder)
  for (const { id, folderId } of await box.files()) if (ownFolders.has(folderId)) own.add(id)
  const outside = await callsOutside(new Set([...own, ...ownFolders]))
  const changed = after.filter((one) => !before.includes(one)).length

  // Staff enter right folders: nothing is lost.
  for (const { userId } of uploaders) {
    await sql.query(
      'update users set box_folder_id = null where id = $1 and box_folder_id = any($2)',
      [userId, victims.folders],
    )
    await folderOf(box, sql, userId)
  }
  await testApp.admin.files.sendAgain()
  const waiting = async () => (await testApp.admin.files.status()).waiting
  await vi.waitUntil(async () => (await waiting()) === 0, { timeout: 300_000 }).catch(() => {})
  const lost = await waiting()

  const calls = await box.requests()
  figures('ids of the CRM', {
    'shapes of files': fileShapes.length,
    'shapes of folders': folderShapes.length,
    requests: counts.requests,
    'files opened': counts.opened,
    'bytes read': counts.bytesRead,
    'replaced (as own files)': counts.replaced,
    uploaded: counts.uploaded,
    'calls of Box': calls.length,
    'calls outside of the folder': outside.length,
    'files of others changed or added': changed,
    'uploads lost': lost,
  })
  headline.sum({
    shapes: fileShapes.length + folderShapes.length,
    'calls outside of the folder': outside.length,
    'bytes of others read': counts.bytesRead,
    'files of others changed or added': changed,
  })
  if (outside.length > 0)
    figures('outside', { examples: [...new Set(outside)].slice(0, 8).join('; ') })
  expect(outside).toEqual([])
  expect(counts.bytesRead).toBe(0)
  expect(counts.opened).toBe(0)
  expect(after).toEqual(before)
  expect(counts.uploaded).toBe(folderShapes.length)
  expect(lost).toBe(0)
})
