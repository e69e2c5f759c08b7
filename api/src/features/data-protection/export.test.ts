import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveIntake } from '@guidon/contract/intake'
import {
  ANSWERS,
  bootWithVeteran,
  BYTES,
  EMAIL,
  NOT_EXPORTED,
  PLAIN_VALUES,
  ENCRYPTED_VALUES,
  STORED_FILE_NAME,
  UNFINISHED_BYTES,
  UNFINISHED_FILE_NAME,
  WAITING_FILE_NAME,
} from '@guidon/tests/veteran-with-data'
import { describe, expect, it } from 'vitest'
import { openDatabase, openPool } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'
import { primaryReader } from '../../db/reader.ts'
import { exporting } from './export.ts'

const { testApp, client, userId, contactId } = await bootWithVeteran()
const { sql } = testApp
const { records } = testApp.admin
const folder = join(await mkdtemp(join(tmpdir(), 'guidon-export-')), 'record')

const savedAt = async (queryable: Queryable, id: string) => {
  const query = queryable.selectFrom('intakes').select('saved_at').where('user_id', '=', id)
  return (await query.executeTakeFirst())?.saved_at
}

describe('an export', () => {
  it('contains all data of the veteran, in files that no other user of the machine can read', async () => {
    expect(await records.export(EMAIL, folder)).toBe(3)
    const record = await readFile(join(folder, 'record.json'), 'utf8')
    const exported = PLAIN_VALUES.filter((value) => !NOT_EXPORTED.includes(value))
    for (const value of [...exported, ...ENCRYPTED_VALUES]) expect(record).toContain(value)
    expect(JSON.parse(record)).toMatchObject({
      account: { id: userId },
      links: [{ contact: contactId, state: 'live' }],
      contactRequests: [{ method: 'Call' }],
      consents: [
        {
          kind: 'terms',
          version: '2026-11-01',
          text: expect.stringContaining('I accept the Terms'),
        },
        { kind: 'privacy', textSha256: expect.stringMatching(/^[0-9a-f]{64}$/), withdrawnAt: null },
      ],
      documents: [{ name: STORED_FILE_NAME }, { name: WAITING_FILE_NAME }],
      unverifiedSignUps: [{ signedUpAt: expect.any(String) }],
      signIns: { sessions: [{}], codes: [{ purpose: 'email' }], devices: [{}] },
      copyOfCrm: {
        contact: { id: contactId },
        appointments: [{ date: '2031-05-06' }],
        claims: [{ stage: 'Case Review', steps: [{ back: false }] }],
      },
      unfinishedUploads: [{ name: UNFINISHED_FILE_NAME, received: UNFINISHED_BYTES.length }],
      filesStillHere: [`file-1-${WAITING_FILE_NAME}`, `file-2-${UNFINISHED_FILE_NAME}`],
    })
    expect(record).toContain('"event": "sign_in_refused"')
    // The networks of the veteran's own requests, shortened, and none of staff.
    const { activity } = JSON.parse(record) as {
      activity: { by: string; network: string | null }[]
    }
    const networks = activity.map(({ by, network }) => `${by}: ${network}`)
    expect(new Set(networks)).toContain('themselves: 127.0.0.0/24')
    expect(new Set(networks)).toContain('someone else: null')
    expect(networks).not.toContain('someone else: 127.0.0.0/24')
    expect(await readFile(join(folder, `file-1-${WAITING_FILE_NAME}`))).toEqual(BYTES)
    const unfinished = await readFile(join(folder, `file-2-${UNFINISHED_FILE_NAME}`))
    expect(unfinished).toEqual(UNFINISHED_BYTES)
    const modes = await Promise.all(
      ['.', ...(await readdir(folder))].map(async (name) => (await stat(join(folder, name))).mode),
    )
    expect(modes.every((mode) => (mode & 0o077) === 0)).toBe(true)
  })

  it('is complete while a file is being received, and leaves out one that was removed meanwhile', async () => {
    await sql.query(
      `insert into unfinished_uploads (user_id, name, size, received, expires_at)
       values ($1, null, 9000000, 3000000, now() + interval '1 hour'),
         ($1, 'removed.pdf', 9000000, 3000000, now() + interval '1 hour')`,
      [userId],
    )
    const target = `${folder}-meanwhile`
    expect(await records.export(EMAIL, target)).toBe(3)
    expect((await readdir(target)).filter((name) => name.includes('removed'))).toEqual([])
    await sql.query('delete from unfinished_uploads where user_id = $1 and received = 3000000', [
      userId,
    ])
  })

  it('writes only inside its folder, whatever the name of a document', async () => {
    const renameTo = (name: string) =>
      sql.query(
        'update documents set name = $2 where id = (select document_id from uploads where user_id = $1 and stored_at is null)',
        [userId, name],
      )
    const [relative, long] = [`${folder}-relative`, `${folder}-long`]
    await renameTo('../../escaped\n.pdf')
    expect(await records.export(EMAIL, relative)).toBe(3)
    expect(await readdir(relative)).toEqual([
      'file-1-.._.._escaped_.pdf',
      `file-2-${UNFINISHED_FILE_NAME}`,
      'record.json',
    ])
    await renameTo(`${'\u{1F600}\u4e2d'.repeat(120)}.pdf`)
    expect(await records.export(EMAIL, long)).toBe(3)
    await renameTo(WAITING_FILE_NAME)
  })

  it('is a snapshot: a concurrent change of the intake is not in it', async () => {
    const pool = openPool({
      url: testApp.config.DATABASE_URL,
      size: 2,
      statementTimeoutMs: 0,
      onIdleError: () => {},
    })
    const db = openDatabase(pool)
    const before = await savedAt(db, userId)
    const target = `${folder}-moment`
    await exporting({
      db,
      reader: primaryReader(db),
      findId: async () => userId,
      exports: [
        { read: async (tx, id) => ({ account: await savedAt(tx, id) }) },
        {
          read: async (tx, id) => {
            await client.call(saveIntake, { body: { city: 'Changedville' } })
            return { intake: { savedAt: await savedAt(tx, id) } }
          },
        },
      ],
    }).export(EMAIL, target)
    await pool.end()
    const record = await readFile(join(target, 'record.json'), 'utf8')
    expect(JSON.parse(record)).toMatchObject({ intake: { savedAt: before?.toISOString() } })
    await client.call(saveIntake, { body: { city: ANSWERS.city } })
  })

  it('contains no hash and no secret', async () => {
    const record = await readFile(join(folder, 'record.json'), 'utf8')
    expect(record).not.toMatch(/argon2|hash|token|sealed|keyid/i)
  })

  it('never overwrites a folder, and is recorded in the audit log', async () => {
    await expect(records.export(EMAIL, folder)).rejects.toThrow('EEXIST')
    const { rows } = await sql.query(
      `select from audit_events where event = 'account_exported' and subject_id = $1`,
      [userId],
    )
    expect(rows).toHaveLength(5)
    expect(await records.export('nobody@example.com', `${folder}-2`)).toBeUndefined()
  })

  it('and an erasure cover every table with data of an account', async () => {
    const { rows } = await sql.query<{ name: string }>(
      `select distinct table_name as name from information_schema.columns
       join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and column_name in ('user_id', 'contact_id', 'upload_id', 'session_id')
       order by 1`,
    )
    // For a new table: add it to the export, make sure that an erasure deletes it, then list it here.
    expect(rows.map(({ name }) => name)).toEqual([
      'audit_sources',
      'box_folders',
      'challenges',
      'consents',
      'contact_requests',
      'crm_appointment',
      'crm_claim',
      'crm_document',
      'crm_outbox',
      'deliveries',
      'devices',
      'documents',
      'erasures',
      'hand_offs',
      'intakes',
      'links',
      'misplaced_files',
      'notice_preferences',
      'notices',
      'reset_tokens',
      'session_tokens',
      'sessions',
      'unfinished_uploads',
      'upload_chunks',
      'uploads',
    ])
  })
})
