import type { Sql } from '../../support/databases.ts'
import type { Org } from '../../support/org.ts'

/** What the CRM must have: by object, the field that holds the portal's id, and the query for the expected ids. */
const EXPECTED = {
  Contact_Request__c: {
    field: 'Portal_Request_Id__c',
    ids: 'select id::text from contact_requests',
  },
  Intake__c: {
    field: 'Portal_Intake_Id__c',
    ids: 'select id::text from intakes where submitted_at is not null',
  },
  Document_Request__c: {
    field: 'Portal_Document_Id__c',
    ids: 'select id::text from documents',
  },
  Contact: {
    field: 'Portal_User_Id__c',
    ids: `select user_id::text as id from crm_outbox where kind = 'contact'`,
  },
}

/** Compares what the veterans handed in with what the CRM has: the same, each once, in the veteran's order. */
export async function crmDifferences(sql: Sql, org: Org) {
  let lost = 0
  let doubled = 0
  for (const [object, { field, ids }] of Object.entries(EXPECTED)) {
    const { rows } = await sql.query<{ id: string }>(ids)
    const received = (await org.rows<Record<string, string | null>>(object, {}, 0)).flatMap(
      (row) => row[field] ?? [],
    )
    const distinct = new Set(received)
    lost += rows.filter(({ id }) => !distinct.has(id)).length
    doubled += received.length - distinct.size
  }
  const { rows: disordered } = await sql.query(
    `select from crm_outbox a join crm_outbox b on a.user_id = b.user_id and a.number < b.number
     where a.sent_at > b.sent_at or a.sent_at is null and b.sent_at is not null`,
  )
  return { lost, doubled, 'out of order': disordered.length }
}
