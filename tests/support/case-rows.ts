import { boot } from './boot.ts'
import type { BootOptions } from './boot.ts'
import { linkTo } from './links.ts'

const DAY_MS = 86_400_000
const LATEST_ZONE = 'Pacific/Honolulu'

/** The date this many days from now, where the day ends last in the US. */
export const day = (fromToday: number) =>
  new Date(Date.now() + fromToday * DAY_MS).toLocaleDateString('en-CA', { timeZone: LATEST_ZONE })

type Row = Record<string, unknown>

/** Starts the app, with functions that store rows as the mirror does. */
export async function bootWithCases(options: BootOptions = {}) {
  const testApp = await boot(options)
  const { sql } = testApp
  let count = 0
  const newId = (prefix: string) => `${prefix}${String((count += 1)).padStart(15, '0')}`

  const insert = async (table: string, row: Row) => {
    const columns = Object.keys(row)
    const values = columns.map((_, index) => `$${index + 1}`)
    const { rows } = await sql.query<{ id: string }>(
      `insert into ${table} (${columns.join(', ')}) values (${values.join(', ')}) returning *`,
      Object.values(row),
    )
    return rows[0]!.id
  }
  const mirrored = (prefix: string) => ({
    id: newId(prefix),
    modified_at: new Date(),
    deleted: false,
  })

  return {
    testApp,
    sql,
    insert,
    /** A signed-in veteran who is linked to a contact that was in the CRM before the account. */
    async veteran() {
      const account = await testApp.account()
      const client = await testApp.withSession(account)
      const contactId = newId('003')
      const { rows } = await sql.query<{ id: string }>('select id from users where email = $1', [
        account.email,
      ])
      await linkTo(sql, account, contactId)
      return { client, contactId, userId: rows[0]!.id, email: account.email }
    },
    crmDocument: (contactId: string, row: Row = {}) =>
      insert('crm_document', {
        ...mirrored('a01'),
        contact_id: contactId,
        name: 'Decision letter',
        type: 'Letter',
        ...row,
      }),
    ownDocument: (userId: string, row: Row = {}) =>
      insert('documents', {
        user_id: userId,
        name: `${newId('own')}.pdf`,
        type: 'Letter',
        size: 1,
        sha256: '',
        ...row,
      }),
    upload: (userId: string, documentId: string, row: Row = {}) =>
      insert('uploads', {
        user_id: userId,
        document_id: documentId,
        size: 1,
        sha1: '',
        ...row,
      }),
    appointment: (contactId: string, row: Row = {}) =>
      insert('crm_appointment', {
        ...mirrored('a02'),
        contact_id: contactId,
        date: day(1),
        time: '09:30',
        clinic_name: 'Harbor Clinic',
        scheduled: true,
        ...row,
      }),
    claim: async (contactId: string, row: Row = {}, steps: readonly Row[] = []) => {
      const id = await insert('crm_claim', {
        ...mirrored('a03'),
        contact_id: contactId,
        title: 'Disability claim',
        stage: 'Case Review',
        closed: false,
        ...row,
      })
      for (const step of steps) {
        await insert('claim_steps', { claim_id: id, back: false, ...step })
      }
      return id
    },
  }
}
