import type { Client } from 'pg'
import { report } from './figures.ts'
import { withoutIndexes } from './kept-rows.ts'
import type { Rows } from './kept-rows.ts'

const BATCH = 50_000
/** A contact with its rows needs about 3.5 kB, with the indexes. */
const CONTACTS_PER_GIGABYTE = 250_000

const CITIES = `array['San Diego', 'Fayetteville', 'El Paso', 'Norfolk', 'Tampa', 'Colorado Springs']`
const LAST_NAMES = `array['Whitfield', 'Alvarez', 'Santiago', 'Okafor', 'Becker', 'Nguyen', 'Hill']`
const STATUSES = `array['received', 'reviewed', 'reviewed', 'notUsable']`
const STAGES = `array['Intake', 'Case Review', 'Gathering Records']`
const CATEGORIES = `array['Buddy statement', 'DD Form 214', 'Marriage certificate', 'VA decision letter']`
/** `list[…]` with a number that grows without end. */
const repeated = (list: string, number: string) =>
  `(${list})[1 + (${number}) % cardinality(${list})]`

const CHANGED = `now() - interval '65 days' - n % 300 * interval '1 day', false`
const ID = `lpad(n::text, 15, '0')`

const FEW = `
  insert into crm_user (id, modified_at, deleted, name, email, phone)
    select '005' || ${ID}, ${CHANGED}, 'Casey ' || ${repeated(LAST_NAMES, 'n')},
      'case.manager.' || n || '@guidon.example', '8005550142' from generate_series(0, 199) as n;
  insert into crm_document_category (id, modified_at, deleted, name, sort)
    select 'm00' || ${ID}, ${CHANGED}, ${repeated(CATEGORIES, 'n')}, n from generate_series(0, 3) as n`

/** For each contact two appointments, three documents and a claim. */
const OF_CONTACTS = [
  `insert into crm_contact (id, modified_at, deleted, first_name, last_name, email, phone, street, city, state, zip,
     case_manager_id)
   select '003' || ${ID}, ${CHANGED}, 'James', ${repeated(LAST_NAMES, 'n')}, 'veteran.' || n || '@example.com',
     (6195550100 + n % 100)::text, n || ' Harbor Road', ${repeated(CITIES, 'n')}, 'California',
     (90000 + n % 10000)::text, '005' || lpad((n % 200)::text, 15, '0')
   from generate_series($1::int, $2::int) as n`,
  `insert into crm_appointment (id, modified_at, deleted, contact_id, date, time, clinic_name, clinic_phone, scheduled)
   select 'a00' || part || lpad(n::text, 14, '0'), ${CHANGED}, '003' || ${ID},
     current_date + case part when 0 then 10 + n % 90 else n % 90 - 100 end,
     (${repeated(`array['08:30', '11:00', '14:15']`, 'n')})::time, ${repeated(CITIES, 'n')} || ' Clinic', '8005550177',
     part = 0
   from generate_series($1::int, $2::int) as n, generate_series(0, 1) as part`,
  `insert into crm_document (id, modified_at, deleted, contact_id, name, type, status, status_since, box_file_id,
     last_uploaded_at, due_date, reason)
   select 'a01' || part || lpad(n::text, 14, '0'), ${CHANGED}, '003' || ${ID}, 'Document ' || part, 'DD Form 214',
     case part when 0 then 'requested' else ${repeated(STATUSES, 'n + part')} end,
     now() - interval '65 days' - n % 300 * interval '1 day',
     case part when 0 then null else (1200000000000 + n * 3::bigint + part)::text end,
     case part when 0 then null else now() - interval '65 days' - n % 300 * interval '1 day' end,
     case part when 0 then current_date - 10 + n % 60 end, case part when 0 then 'VA decides with it' end
   from generate_series($1::int, $2::int) as n, generate_series(0, 2) as part`,
  `with claims as (
     insert into crm_claim (id, modified_at, deleted, contact_id, title, stage, stage_label, stage_since, next_step, closed)
     select 'a02' || ${ID}, ${CHANGED}, '003' || ${ID}, 'Disability claim', ${repeated(STAGES, 'n')}, ${repeated(STAGES, 'n')},
       now() - interval '65 days' - n % 300 * interval '1 day', 'We call you when your records are here', n % 10 = 9
     from generate_series($1::int, $2::int) as n returning *)
   insert into claim_steps (claim_id, stage, stage_label, entered_at, back, version_at)
   select id, stage, stage_label, stage_since, false, modified_at from claims`,
]

/** The mirror of a CRM with this many contacts, each with an account. */
export const dashboardRows = (contacts: number): Rows => ({
  kind: 'contacts',
  size: String(contacts),
  files: ['dashboard-rows.ts'],
  gigabytes: contacts / CONTACTS_PER_GIGABYTE,
  load: (sql) => addContacts(sql, contacts),
})

async function addContacts(sql: Client, contacts: number): Promise<void> {
  const tables = ['crm_contact', 'crm_appointment', 'crm_document', 'crm_claim']
  await sql.query(FEW)
  await withoutIndexes(sql, tables, async () => {
    for (let from = 0; from < contacts; from += BATCH) {
      const to = Math.min(contacts, from + BATCH)
      for (const text of OF_CONTACTS) await sql.query(text, [from, to - 1])
      report(`${to} of ${contacts} contacts added, each with six other rows of the CRM`)
    }
  })
  await sql.query('update crm_sync_cursor set completed_at = now()')
  await withoutIndexes(sql, ['users', 'documents', 'uploads'], async () => {
    await addLinkedUsers(sql)
    report('an account added for each contact')
    await addOwnDocuments(sql)
    report('an uploaded document added for each account')
  })
}

/** Adds a linked account for every contact of the mirror. */
export async function addLinkedUsers(sql: Client): Promise<void> {
  await sql.query(
    `insert into users (email, password_hash, first_name, last_name, phone, state, role)
     select email, 'none', first_name, last_name, phone, 'California', 'USER' from crm_contact`,
  )
  await sql.query(
    `insert into links (user_id, contact_id, origin, state, live_at)
     select u.id, c.id, 'signUp', 'live', now() from crm_contact c join users u using (email)`,
  )
}

/** Adds an uploaded and stored document for every linked account. */
export async function addOwnDocuments(sql: Client): Promise<void> {
  await sql.query(
    `with sent as (insert into documents (user_id, name, type, box_file_id, size, sha256)
     select user_id, 'Letter.pdf', 'Other', 'own-' || contact_id, 1000, sha256(contact_id::bytea)
     from links where state = 'live' returning id, user_id)
     insert into uploads (document_id, user_id, size, sha1, stored_at)
     select id, user_id, 1000, '', now() from sent`,
  )
}
