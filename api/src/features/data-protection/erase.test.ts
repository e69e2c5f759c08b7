import { getAppointments } from '@guidon/contract/appointments'
import { checkAuth } from '@guidon/contract/auth'
import { decideLink, listLinksToConfirm } from '@guidon/contract/links'
import { updateUser } from '@guidon/contract/manage-users'
import { getUserInfo } from '@guidon/contract/profile'
import { register } from '@guidon/contract/sign-up'
import { WAIT_OPTIONS } from '@guidon/tests/documents'
import { foundInDatabase } from '@guidon/tests/found-in-database'
import { linkOf } from '@guidon/tests/links'
import { mailbox } from '@guidon/tests/mailbox'
import { PASSWORD } from '@guidon/tests/outside/account'
import {
  bootWithVeteran,
  EMAIL,
  PLAIN_COLUMNS,
  PLAIN_VALUES,
  MAILING_ADDRESS,
  NAME,
  PHONE,
  ENCRYPTED_VALUES,
  STORED_FILE_NAME,
  upload,
} from '@guidon/tests/veteran-with-data'
import { describe, expect, it, vi } from 'vitest'
import { Busy } from '../../db/locks.ts'

const { testApp, box, org, signUpAs, client, userId, contactId } = await bootWithVeteran()
const { sql, admin } = testApp
const { records } = admin
// Delays the receipt of the last upload, so that the veteran still has a waiting job after the first tests.
await sql.query(`update pgboss.job set start_after = now() + interval '1 hour'
  where name = 'documents.send-receipt' and state < 'active'`)

/** Retries, because the worker locks the file while it tries to send it to Box, which is unavailable. */
const eraseWhenUnlocked = (id: string) =>
  vi.waitUntil(
    () =>
      records.erase.erase(id).catch((error: unknown) => {
        if (!(error instanceof Busy)) throw error
      }),
    WAIT_OPTIONS,
  )

describe('an erasure', () => {
  let backup: { table: string; row: unknown }[] = []

  it('is refused while a file is being sent to Box', async () => {
    const other = await testApp.signedUp()
    const { body: document } = await upload(other.client, 'held.pdf')
    await sql.query(
      `update documents set claimed_by = uuidv7(), claimed_until = now() + interval '1 hour' where id = $1`,
      [document.id],
    )
    await expect(records.erase.erase(other.userId)).rejects.toThrow(Busy)
    expect((await other.client.call(checkAuth, {})).status).toBe(401)
    await sql.query('update documents set claimed_until = null where id = $1', [document.id])
    expect(await eraseWhenUnlocked(other.userId)).toMatchObject({ unsent: { documents: 1 } })
  })

  it('waits while an entry is being sent to the CRM, and lists what arrived there', async () => {
    await org.fault({
      mode: 'hang',
      match: 'PATCH /composite/sobjects',
      times: 1,
    })
    const other = await testApp.signedUp()
    await org.waitForHeldCall()
    const erasure = eraseWhenUnlocked(other.userId)
    const isActive = async () => {
      const { rows } = await sql.query('select is_active from users where id = $1', [other.userId])
      return rows
    }
    await expect.poll(isActive).toEqual([{ is_active: false }])
    await org.fault({ mode: 'none' })
    const erased = await erasure
    const [contact] = await org.rows<{ Id: string }>('Contact', { Portal_User_Id__c: other.userId })
    expect(erased).toMatchObject({ crm: { contacts: [contact!.Id] }, unsent: { entries: 0 } })
  })

  it('deletes all data of the veteran, and lists what other systems still have', async () => {
    // A column that gets such a value needs a row in `PLAIN_COLUMNS`.
    for (const [value, columns] of Object.entries(PLAIN_COLUMNS)) {
      const found = await foundInDatabase(sql, value)
      expect([value, found]).not.toEqual([value, []])
      const unnamed = found.filter((column) => !columns.includes(column.replace('public.', '')))
      expect([value, unnamed]).toEqual([value, []])
    }
    for (const value of ENCRYPTED_VALUES) expect(await foundInDatabase(sql, value)).toEqual([])
    backup = []
    for (const table of ['users', 'crm_contact', 'intakes']) {
      const key = table === 'intakes' ? 'user_id' : 'id'
      const { rows } = await sql.query<{ row: unknown }>(
        `select to_jsonb(t) as row from ${table} t where ${key}::text = $1`,
        [table === 'crm_contact' ? contactId : userId],
      )
      backup.push({ table, row: rows[0]!.row })
    }
    const file = (await box.files()).find(({ name }) => name === STORED_FILE_NAME)!
    const countJobs = async () => {
      const { rows } = await sql.query(
        `select from pgboss.job where data ->> 'userId' = $1 and state < 'completed'`,
        [userId],
      )
      return rows.length
    }
    expect(await countJobs()).toBeGreaterThan(0)
    expect(await foundInDatabase(sql, userId)).toContain('public.audit_sources.user_id')

    const request = await sql.query('select id from contact_requests where user_id = $1', [userId])
    expect(await eraseWhenUnlocked(userId)).toEqual({
      userId,
      crm: {
        contacts: [contactId],
        documents: expect.arrayContaining([expect.stringMatching(/^a/)]),
        appointments: [expect.any(String)],
        claims: [expect.any(String)],
        intake: expect.any(String),
        contactRequests: request.rows.map(({ id }) => id),
      },
      fileStore: { folder: file.folderId, files: [file.id] },
      unsent: { entries: 0, documents: 1 },
      jobs: expect.any(Number),
    })
    for (const value of [...PLAIN_VALUES, ...ENCRYPTED_VALUES]) {
      expect([value, await foundInDatabase(sql, value)]).toEqual([value, []])
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
    expect((await client.call(checkAuth, {})).status).toBe(401)
    expect(await admin.audit.verify()).toMatchObject({ broken: undefined })
    const events = (await admin.audit.eventsOf(userId)).map(({ event }) => event)
    expect(events.slice(-2)).toEqual(['account_deactivated', 'account_erased'])
  })

  it('also deletes unverified sign-ups with the email', async () => {
    const email = 'never-verified@example.com'
    await testApp.newClient().call(register, {
      body: { ...NAME, email, password: PASSWORD, phone: PHONE, state: 'Ohio' },
    })
    expect(await records.erase.find(email)).toBeUndefined()
    expect(await records.erase.eraseSignUps(email)).toBe(1)
    expect(await foundInDatabase(sql, email)).toEqual([])
  })

  it('has no effect when it is repeated', async () => {
    expect(await records.erase.erase(userId)).toBeUndefined()
    expect(await records.erase.find(EMAIL)).toBeUndefined()
  })

  const contactRow = async () => {
    const { rows } = await sql.query(`select * from crm_contact where id = $1`, [contactId])
    return rows[0]
  }

  it('is not undone by the mirror: changes in the CRM are not copied', async () => {
    const before = await contactRow()
    await org.staff('edit-contact', { contactId, Phone: '4155550000' })
    await expect
      .poll(async () => (await contactRow()).modified_at > before.modified_at, WAIT_OPTIONS)
      .toBe(true)
    expect(await contactRow()).toMatchObject({ email: null, phone: null, deleted: false })
  })

  const restoreBackup = async () => {
    for (const { table, row } of backup) {
      await sql.query(`delete from ${table} where id::text = $1::jsonb ->> 'id'`, [row])
      await sql.query(
        `insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`,
        [row],
      )
    }
  }

  it('is repeated after a backup was restored', async () => {
    await restoreBackup()
    expect(await foundInDatabase(sql, EMAIL)).not.toEqual([])
    expect(await records.erase.again([])).toBe(1)
    expect(await foundInDatabase(sql, EMAIL)).toEqual([])
    expect(await records.erase.again([])).toBe(0)
  })

  it('is repeated from an external list if the backup is older than the erasure', async () => {
    const list = await records.erase.list()
    await restoreBackup()
    await sql.query('delete from erasures')
    expect(await records.erase.again([])).toBe(0)
    expect(await records.erase.again(list)).toBe(1)
    expect(await foundInDatabase(sql, EMAIL)).toEqual([])
    expect(await records.erase.list()).toHaveLength(list.length)
  })

  it('allows a new sign-up: once staff confirm the link, its records are shown again', async () => {
    const { client: newClient, userId: newId } = await signUpAs(EMAIL)
    expect(newId).not.toBe(userId)
    const contactOfNew = async () => (await linkOf(sql, newId)).contact
    // The contact still names the erased account, so it is not linked automatically.
    await expect.poll(contactOfNew, WAIT_OPTIONS).toBeTruthy()
    expect(await contactOfNew()).not.toBe(contactId)
    const staff = await testApp.withSession(await testApp.account('ADMIN'))
    const body = { salesforceId: contactId }
    await staff.call(updateUser, { params: { id: newId }, body })
    const { links } = (await staff.call(listLinksToConfirm, {})).body
    const question = links.find((link) => link.contactId === contactId)!
    const decision = { decision: 'confirm', reason: 'Called the veteran.' } as const
    await staff.call(decideLink, { params: { id: question.id }, body: decision })
    expect(await contactOfNew()).toBe(contactId)
    await expect
      .poll(async () => (await newClient.call(getUserInfo, {})).body.street, WAIT_OPTIONS)
      .toBe(MAILING_ADDRESS.MailingStreet)
    await testApp.signedIn(
      { email: EMAIL, password: PASSWORD },
      {
        after: (await mailbox.mailsTo(EMAIL))[0],
      },
    )
    await expect
      .poll(async () => (await newClient.call(getAppointments, {})).body, WAIT_OPTIONS)
      .toHaveLength(1)
  })
})
