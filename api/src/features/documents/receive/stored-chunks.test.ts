import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHUNK_BYTES } from '@guidon/contract/resumable-uploads'
import { afterFile } from '@guidon/tests/after-file'
import { boot } from '@guidon/tests/boot'
import { hashOf, newName, newPdf, send } from '@guidon/tests/documents'
import { sendInParts } from '@guidon/tests/resumable'
import { expect, it } from 'vitest'
import { openDatabase, openPool } from '../../../db/database.ts'
import { checkers } from '../../../files/checks/checkers.ts'
import { sealer as sealerOf } from '../../../platform/crypto/sealer.ts'
import { extendExpiry } from '../resumable/unfinished.sql.ts'
import { uploads } from '../upload.ts'
import { nextUpload } from '../uploads.sql.ts'
import { readChunks } from './chunks.ts'
import { storeEarly } from './early-chunks.ts'

const testApp = await boot()
const { sql, config } = testApp
const { client, userId } = await testApp.signedUp()
await testApp.stopWorkers()
const pool = openPool({
  url: config.DATABASE_URL,
  size: 2,
  statementTimeoutMs: 0,
  onIdleError: () => {},
})
const folder = await mkdtemp(join(tmpdir(), 'guidon-chunks-'))
afterFile(async () => {
  await pool.end()
  await rm(folder, { recursive: true })
})
const db = openDatabase(pool)
const sealer = sealerOf(config.DATA_KEYS)

const loseLastChunk = async (id: string) => {
  await sql.query('delete from upload_chunks where upload_id = $1 and start > 0', [id])
  await sql.query('update unfinished_uploads set received = $2 where id = $1', [id, CHUNK_BYTES])
}

it.each(['new', 'replaced'])(
  'a %s file is whole, although a crash of PostgreSQL lost its last chunk while it was checked',
  async (kind) => {
    const bytes = newPdf(1_200_000)
    const replaced = kind === 'replaced' ? (await send(client)).body : undefined
    const id = await sendInParts(client, bytes)
    const file = {
      path: join(folder, kind),
      name: newName(),
      size: bytes.length,
      sha256: Buffer.from(hashOf(bytes), 'hex'),
      unfinishedId: id,
      fields: {},
    }
    await writeFile(file.path, bytes)
    const scan = async () => {
      await loseLastChunk(id)
      return 'clean' as const
    }
    const checks = { scanner: { scan }, checkers: checkers(config.CHECKER_SOCKETS) }
    const service = uploads({ db, sealer, ...checks, jobs: { send: async () => {} } })
    if (replaced) await service.replace(userId, replaced.id, file, {})
    else await service.add(userId, file, { documentType: 'Other' })
    const stored = readChunks(db, sealer, { id, userId, size: bytes.length })
    const read = Buffer.concat((await stored.toArray()) as Buffer[])
    expect(read.equals(bytes)).toBe(true)
  },
)

it('the stored bytes of a file cannot be read for another account, whatever the rows say', async () => {
  const { body } = await send(client, { name: newName(), bytes: newPdf() })
  const read = async () => {
    const upload = await nextUpload(db, body.id)
    return Buffer.concat((await readChunks(db, sealer, upload!).toArray()) as Buffer[])
  }
  expect(hashOf(await read())).toBe(body.sha256)
  const { email } = await testApp.account()
  for (const [table, key] of [
    ['documents', 'id'],
    ['uploads', 'document_id'],
  ])
    await sql.query(
      `update ${table} set user_id = (select id from users where email = $2) where ${key} = $1`,
      [body.id, email],
    )
  await expect(read()).rejects.toThrow('wrong data, owner or key')
})

it('nothing of a file that is neither a PDF nor a JPEG is stored while it arrives', async () => {
  const chunksWith = async (start: string) => {
    const early = await storeEarly({ db, sealer })(userId, 3 * CHUNK_BYTES)
    for (const piece of [start.slice(0, 2), start.slice(2)]) await early!.add(Buffer.from(piece))
    await early!.add(Buffer.alloc(2 * CHUNK_BYTES))
    const { rowCount } = await sql.query(
      `select from upload_chunks c join unfinished_uploads u on u.id = c.upload_id
       where u.name is null`,
    )
    const id = await early!.end(2 * CHUNK_BYTES + start.length)
    await early!.discard()
    return { rowCount, isKept: id !== undefined }
  }
  expect(await chunksWith('GIF89a')).toEqual({ rowCount: 0, isKept: false })
  const pdf = await chunksWith('%PDF-1.7')
  expect(pdf).toEqual({ rowCount: expect.any(Number), isKept: true })
})

it('a file that is checked again and again is kept for 25 hours after its start at most', async () => {
  const minutesLeft = async (startedHoursAgo: number) => {
    const { rows } = await sql.query<{ id: string }>(
      `insert into unfinished_uploads (id, user_id, size, expires_at)
       values (uuidv7(make_interval(hours => $2)), $1, 5, now() + interval '1 minute') returning id`,
      [userId, -startedHoursAgo],
    )
    await extendExpiry(db, rows[0]!.id, 10)
    const left = await sql.query<{ minutes: number }>(
      `delete from unfinished_uploads where id = $1
       returning round(extract(epoch from expires_at - now()) / 60)::int as minutes`,
      [rows[0]!.id],
    )
    return left.rows[0]!.minutes
  }
  expect(await minutesLeft(24)).toBe(10)
  expect(await minutesLeft(25)).toBe(1)
})
