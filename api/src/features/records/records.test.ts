import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAppointments } from '@guidon/contract/appointments'
import { checkAuth, login } from '@guidon/contract/auth'
import { requestContact } from '@guidon/contract/contact'
import { getDocumentsOf, uploadDocument } from '@guidon/contract/documents'
import { saveIntake } from '@guidon/contract/intake'
import { updateUser } from '@guidon/contract/manage-users'
import { forgotPassword } from '@guidon/contract/password'
import { getUserInfo } from '@guidon/contract/profile'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { boot, PASSWORD } from '../../../test/boot.ts'
import { newBox } from '../../../test/box.ts'
import { samplePdf, streamOf } from '../../../test/files/made-pdf.ts'
import { foundInDatabase } from '../../../test/found-in-database.ts'
import { mailbox } from '../../../test/mailbox.ts'
import { newOrg } from '../../../test/org.ts'
import type { TestClient } from '../../../test/test-client.ts'
import { openDatabase, openPool } from '../../db/database.ts'
import type { Queryable } from '../../db/database.ts'
import { Busy } from '../../db/locks.ts'
import { exporting } from './export.ts'

const [box, org] = await Promise.all([newBox(), newOrg()])
const testApp = await boot({
  environment: { ...org.environment, ...box.environment, CRM_POLL_SECONDS: '1' },
})
const { sql, admin } = testApp
const { records } = admin
const savedAt = async (on: Queryable, id: string) => {
  const query = on.selectFrom('intakes').select('saved_at').where('user_id', '=', id)
  return (await query.executeTakeFirst())?.saved_at
}
const SOON = { timeout: 20_000, interval: 100 }

const NAME = { firstName: 'Zebulonia', lastName: 'Quartermainex' }
const EMAIL = 'planted.zebulonia@example.com'
const PHONE = '4155559137'
const ANSWERS = { street: '77 Plantedstreet Way', city: 'Plantedville', zip: '91357' }
const BORN = '1961-07-19'
const CLINIC = { clinicName: 'Planted Clinic of Toledo', clinicPhone: '4195550199' }
const ASKED_FOR = 'Planted buddy statement'
const STORED = 'planted-discharge.pdf'
const WAITING = 'planted-letter.pdf'
const MAILING = { MailingStreet: '9 Plantedlane', MailingCity: 'Mirrorplanted' }

/** Held in rows as plain text; what is sealed is found only by whoever opens it. */
const IN_ROWS = [
  EMAIL,
  NAME.firstName,
  NAME.lastName,
  PHONE,
  CLINIC.clinicName,
  CLINIC.clinicPhone,
  ASKED_FOR,
  STORED,
  WAITING,
  MAILING.MailingStreet,
  MAILING.MailingCity,
]
const SEALED = [...Object.values(ANSWERS), BORN]

const bytes = samplePdf(1, streamOf(randomBytes(2_000).toString('base64')))
const upload = (person: TestClient, name: string) =>
  person.upload(uploadDocument, { name, bytes }, { fields: { documentType: 'Other' } })

async function signUpAs(email: string) {
  const person = testApp.newClient()
  const newcomer = { ...NAME, email, password: PASSWORD, phone: PHONE, state: 'Ohio' as const }
  const [last] = await mailbox.mailsTo(email, { waitMs: 0 })
  await person.call(register, { body: newcomer })
  const code = await mailbox.codeFor(email, { after: last?.id ?? '' })
  expect(await person.call(verifyEmail, { body: { email, code } })).toMatchObject({ status: 200 })
  const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [email])
  return { person, userId: rows[0]!.id }
}

let person: TestClient
let userId = ''
let contactId = ''
let folder = ''

beforeAll(async () => {
  contactId = await org.staff('add-contact', {
    FirstName: NAME.firstName,
    LastName: NAME.lastName,
    Email: EMAIL,
    Phone: PHONE,
    ...MAILING,
  })
  await org.staff('add-appointment', { contactId, date: '2031-05-06', time: '09:30', ...CLINIC })
  await org.staff('request-document', { contactId, name: ASKED_FOR, type: 'Other' })
  const mirrored = async () => {
    const { rows } = await sql.query(
      `select from crm_contact join crm_appointment a on a.contact_id = crm_contact.id
       join crm_document d on d.contact_id = crm_contact.id where crm_contact.id = $1`,
      [contactId],
    )
    return rows.length === 1
  }
  await vi.waitUntil(mirrored, SOON)
  const signedUp = await signUpAs(EMAIL)
  person = signedUp.person
  userId = signedUp.userId
  await person.call(saveIntake, { body: { ...ANSWERS, dateOfBirth: BORN } })
  await person.call(requestContact, { body: { method: 'Call' } })
  await person.call(forgotPassword, { body: { email: EMAIL } })
  await testApp.newClient().call(login, { body: { email: EMAIL, password: 'Wrong-Lantern-42!' } })
  await testApp.newClient().call(register, {
    body: { ...NAME, email: EMAIL, password: PASSWORD, phone: PHONE, state: 'Ohio' },
  })
  await upload(person, STORED)
  await vi.waitUntil(async () => (await box.files()).some(({ name }) => name === STORED), SOON)
  await vi.waitUntil(async () => (await admin.files.status()).waiting === 0, SOON)
  await vi.waitUntil(async () => (await admin.crm.status()).outbox.waiting === 0, SOON)
  const staff = await testApp.signedIn(await testApp.account('STAFF'))
  await staff.call(getDocumentsOf, { params: { id: contactId } })
  await box.fault({ mode: '503' })
  await upload(person, WAITING)
  folder = join(await mkdtemp(join(tmpdir(), 'guidon-export-')), 'record')
}, 60_000)

describe('an export', () => {
  it('holds everything that is held of the veteran, for one pair of eyes', async () => {
    expect(await records.export(EMAIL, folder)).toBe(2)
    const record = await readFile(join(folder, 'record.json'), 'utf8')
    for (const planted of [...IN_ROWS, ...SEALED]) expect(record).toContain(planted)
    expect(JSON.parse(record)).toMatchObject({
      account: { id: userId, salesforceId: contactId },
      contactRequests: [{ method: 'Call' }],
      documents: [{ name: STORED }, { name: WAITING }],
      unverifiedSignUps: [{ signedUpAt: expect.any(String) }],
      signIns: { sessions: [{}], codes: [{ purpose: 'email' }], devices: [{}] },
      copyOfCrm: { contact: { id: contactId }, appointments: [{ date: '2031-05-06' }] },
      filesStillHere: [`file-1-${WAITING}`],
    })
    expect(record).toContain('"event": "sign_in_refused"')
    // Where they themselves came from, as far as it may be read; of staff nothing.
    const { activity } = JSON.parse(record) as {
      activity: { by: string; network: string | null }[]
    }
    const networks = activity.map(({ by, network }) => `${by}: ${network}`)
    expect(new Set(networks)).toContain('themselves: 127.0.0.0/24')
    expect(new Set(networks)).toContain('someone else: null')
    expect(networks).not.toContain('someone else: 127.0.0.0/24')
    expect(await readFile(join(folder, `file-1-${WAITING}`))).toEqual(bytes)
    const modes = await Promise.all(
      ['.', ...(await readdir(folder))].map(async (name) => (await stat(join(folder, name))).mode),
    )
    expect(modes.every((mode) => (mode & 0o077) === 0)).toBe(true)
  })

  it('writes nothing outside its folder, whatever a document is called', async () => {
    const named = (name: string) =>
      sql.query(
        'update documents set name = $2 where id = (select document_id from uploads where user_id = $1 and stored_at is null)',
        [userId, name],
      )
    const [climbing, long] = [`${folder}-climbing`, `${folder}-long`]
    await named('../../escaped\n.pdf')
    expect(await records.export(EMAIL, climbing)).toBe(2)
    expect(await readdir(climbing)).toEqual(['file-1-.._.._escaped_.pdf', 'record.json'])
    await named(`${'\u{1F600}\u4e2d'.repeat(120)}.pdf`)
    expect(await records.export(EMAIL, long)).toBe(2)
    await named(WAITING)
  })

  it('is one moment: an intake that changes meanwhile is told as it was', async () => {
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
      findId: async () => userId,
      exports: [
        { read: async (tx, id) => ({ account: await savedAt(tx, id) }) },
        {
          read: async (tx, id) => {
            await person.call(saveIntake, { body: { city: 'Changedville' } })
            return { intake: { savedAt: await savedAt(tx, id) } }
          },
        },
      ],
    }).export(EMAIL, target)
    await pool.end()
    const record = await readFile(join(target, 'record.json'), 'utf8')
    expect(JSON.parse(record)).toMatchObject({ intake: { savedAt: before?.toISOString() } })
    await person.call(saveIntake, { body: { city: ANSWERS.city } })
  })

  it('holds no hash and no secret', async () => {
    const record = await readFile(join(folder, 'record.json'), 'utf8')
    expect(record).not.toMatch(/argon2|hash|token|sealed|keyid/i)
  })

  it('never writes over anything, and is noted', async () => {
    await expect(records.export(EMAIL, folder)).rejects.toThrow('EEXIST')
    const { rows } = await sql.query(
      `select from audit_events where event = 'account_exported' and subject_id = $1`,
      [userId],
    )
    expect(rows).toHaveLength(4)
    expect(await records.export('nobody@example.com', `${folder}-2`)).toBeUndefined()
  })

  it('and an erasure know every table that hangs on an account', async () => {
    const { rows } = await sql.query<{ name: string }>(
      `select distinct table_name as name from information_schema.columns
       where table_schema = 'public' and column_name in ('user_id', 'contact_id', 'upload_id', 'session_id')
       order by 1`,
    )
    // A new one: tell of it in the export, see that it goes with the account, then name it here.
    expect(rows.map(({ name }) => name)).toEqual([
      'audit_sources',
      'challenges',
      'contact_requests',
      'crm_appointment',
      'crm_document',
      'crm_outbox',
      'devices',
      'documents',
      'erasures',
      'intakes',
      'reset_tokens',
      'session_tokens',
      'sessions',
      'upload_chunks',
      'uploads',
    ])
  })
})

/** The worker tries again and again to bring the file to Box, which is away. */
const erasedWhenFree = (id: string) =>
  vi.waitUntil(
    () =>
      records.erase.erase(id).catch((error: unknown) => {
        if (!(error instanceof Busy)) throw error
      }),
    SOON,
  )

describe('an erasure', () => {
  let backup: { table: string; row: unknown }[] = []

  it('waits for a file that is just on its way to Box', async () => {
    await box.fault({ mode: 'hang' })
    const other = await testApp.signedUp()
    await upload(other.person, 'held.pdf')
    await expect.poll(() => records.erase.erase(other.userId).catch(String), SOON).toMatch('Busy')
    expect((await other.person.call(checkAuth, {})).status).toBe(401)
    await box.fault({ mode: '503' })
    expect(await erasedWhenFree(other.userId)).toMatchObject({ unsent: { documents: 1 } })
  })

  it('leaves nothing of the person, and says what others still hold', async () => {
    for (const planted of IN_ROWS) expect(await foundInDatabase(sql, planted)).not.toEqual([])
    for (const planted of SEALED) expect(await foundInDatabase(sql, planted)).toEqual([])
    backup = []
    for (const table of ['users', 'crm_contact', 'intakes']) {
      const key = table === 'intakes' ? 'user_id' : 'id'
      const { rows } = await sql.query<{ row: unknown }>(
        `select to_jsonb(t) as row from ${table} t where ${key}::text = $1`,
        [table === 'crm_contact' ? contactId : userId],
      )
      backup.push({ table, row: rows[0]!.row })
    }
    const file = (await box.files()).find(({ name }) => name === STORED)!
    const waiting = async () => {
      const { rows } = await sql.query(
        `select from pgboss.job where data ->> 'userId' = $1 and state < 'completed'`,
        [userId],
      )
      return rows.length
    }
    expect(await waiting()).toBeGreaterThan(0)
    expect(await foundInDatabase(sql, userId)).toContain('public.audit_sources.user_id')

    const request = await sql.query('select id from contact_requests where user_id = $1', [userId])
    expect(await erasedWhenFree(userId)).toEqual({
      userId,
      crm: {
        contacts: [contactId],
        documents: expect.arrayContaining([expect.stringMatching(/^a/)]),
        appointments: [expect.any(String)],
        intake: expect.any(String),
        contactRequests: request.rows.map(({ id }) => id),
      },
      fileStore: { folder: file.folderId, files: [file.id] },
      unsent: { entries: 0, documents: 1 },
      jobs: expect.any(Number),
    })
    for (const planted of [...IN_ROWS, ...SEALED]) {
      expect([planted, await foundInDatabase(sql, planted)]).toEqual([planted, []])
    }
    expect(await foundInDatabase(sql, userId)).toEqual([
      'public.audit_events.actor_id',
      'public.audit_events.subject_id',
      'public.erasures.user_id',
    ])
    expect(await foundInDatabase(sql, contactId)).toEqual([
      'public.audit_events.details',
      'public.crm_contact.id',
      'public.erasures.contact_id',
    ])
    expect(await foundInDatabase(sql, file.id)).toEqual([])
    expect((await person.call(checkAuth, {})).status).toBe(401)
    expect(await admin.audit.verify()).toMatchObject({ broken: undefined })
    const events = (await admin.audit.of(userId)).map(({ event }) => event)
    expect(events.slice(-2)).toEqual(['account_deactivated', 'account_erased'])
  })

  it('also removes sign-ups of an email that never became an account', async () => {
    const email = 'never-verified@example.com'
    await testApp.newClient().call(register, {
      body: { ...NAME, email, password: PASSWORD, phone: PHONE, state: 'Ohio' },
    })
    expect(await records.erase.find(email)).toBeUndefined()
    expect(await records.erase.eraseSignUps(email)).toBe(1)
    expect(await foundInDatabase(sql, email)).toEqual([])
  })

  it('done again finds nothing to do', async () => {
    expect(await records.erase.erase(userId)).toBeUndefined()
    expect(await records.erase.find(EMAIL)).toBeUndefined()
  })

  const contactRow = async () => {
    const { rows } = await sql.query(`select * from crm_contact where id = $1`, [contactId])
    return rows[0]
  }

  it('is not undone by the mirror: what changes in the CRM stays empty here', async () => {
    const before = await contactRow()
    await org.staff('edit-contact', { contactId, Phone: '4155550000' })
    await expect
      .poll(async () => (await contactRow()).modified_at > before.modified_at, SOON)
      .toBe(true)
    expect(await contactRow()).toMatchObject({ email: null, phone: null, deleted: false })
  })

  const restored = async () => {
    for (const { table, row } of backup) {
      await sql.query(`delete from ${table} where id::text = $1::jsonb ->> 'id'`, [row])
      await sql.query(
        `insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`,
        [row],
      )
    }
  }

  it('is done anew after a backup brought the person back', async () => {
    await restored()
    expect(await foundInDatabase(sql, EMAIL)).not.toEqual([])
    expect(await records.erase.again([])).toBe(1)
    expect(await foundInDatabase(sql, EMAIL)).toEqual([])
    expect(await records.erase.again([])).toBe(0)
  })

  it('is done anew from a list kept outside, where the backup is older than the erasure', async () => {
    const kept = await records.erase.list()
    await restored()
    await sql.query('delete from erasures')
    expect(await records.erase.again([])).toBe(0)
    expect(await records.erase.again(kept)).toBe(1)
    expect(await foundInDatabase(sql, EMAIL)).toEqual([])
    expect(await records.erase.list()).toHaveLength(kept.length)
  })

  it('bars nobody from coming back: once staff link the new account, its records are shown again', async () => {
    const { person: again, userId: newId } = await signUpAs(EMAIL)
    expect(newId).not.toBe(userId)
    const known = async () => {
      const { rows } = await sql.query('select salesforce_id as id from users where id = $1', [
        newId,
      ])
      return rows[0].id
    }
    // The contact still says that it was the erased account's, so nobody is given it unseen.
    await expect.poll(known, SOON).toBeTruthy()
    expect(await known()).not.toBe(contactId)
    const staff = await testApp.signedIn(await testApp.account('ADMIN'))
    const body = { salesforceId: contactId }
    const linked = await staff.call(updateUser, { params: { id: newId }, body })
    expect(linked).toMatchObject({ status: 200, body: { salesforceId: contactId } })
    await expect
      .poll(async () => (await again.call(getUserInfo, {})).body.street, SOON)
      .toBe(MAILING.MailingStreet)
    await testApp.signedIn({ email: EMAIL, password: PASSWORD }, (await mailbox.mailsTo(EMAIL))[0])
    await expect
      .poll(async () => (await again.call(getAppointments, {})).body, SOON)
      .toHaveLength(1)
  })
})

afterAll(() => box.fault({ mode: 'none' }))
