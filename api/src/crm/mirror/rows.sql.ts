import type { Stage } from '@guidon/contract/stages'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../db/database.ts'
import { erasedContacts } from '../../db/erasures.ts'
import type { Kind, RowOf } from '../port.ts'
import { deleteSteps, storeSteps } from './claim-steps.sql.ts'
import type { ClaimChange } from './claim-steps.sql.ts'

/** The table of each kind; for each column its type and its name in `port.ts`. */
const TABLES = {
  contact: {
    table: 'crm_contact',
    columns: {
      portal_user_id: ['text', 'portalUserId'],
      first_name: ['text', 'firstName'],
      last_name: ['text', 'lastName'],
      email: ['text', 'email'],
      phone: ['text', 'phone'],
      street: ['text', 'street'],
      city: ['text', 'city'],
      state: ['text', 'state'],
      zip: ['text', 'zip'],
      case_manager_id: ['text', 'caseManagerId'],
      box_folder_id: ['text', 'boxFolderId'],
      deceased: ['boolean', 'deceased'],
      master_id: ['text', 'masterId'],
    },
  },
  user: {
    table: 'crm_user',
    columns: { name: ['text', 'name'], email: ['text', 'email'], phone: ['text', 'phone'] },
  },
  appointment: {
    table: 'crm_appointment',
    columns: {
      contact_id: ['text', 'contactId'],
      date: ['date', 'date'],
      time: ['time', 'time'],
      clinic_name: ['text', 'clinicName'],
      clinic_phone: ['text', 'clinicPhone'],
      scheduled: ['boolean', 'scheduled'],
    },
  },
  document: {
    table: 'crm_document',
    columns: {
      contact_id: ['text', 'contactId'],
      portal_document_id: ['text', 'portalDocumentId'],
      name: ['text', 'name'],
      type: ['text', 'type'],
      box_file_id: ['text', 'boxFileId'],
      last_uploaded_at: ['timestamptz', 'lastUploadedAt'],
      due_date: ['date', 'dueDate'],
      reason: ['text', 'reason'],
      status: ['text', 'status'],
      status_reason: ['text', 'statusReason'],
    },
  },
  claim: {
    table: 'crm_claim',
    columns: {
      contact_id: ['text', 'contactId'],
      title: ['text', 'title'],
      stage: ['text', 'stage'],
      stage_label: ['text', 'stageLabel'],
      stage_since: ['timestamptz', 'stageSince'],
      stage_reason: ['text', 'stageReason'],
      next_step: ['text', 'nextStep'],
      closed: ['boolean', 'closed'],
    },
  },
  documentCategory: {
    table: 'crm_document_category',
    columns: { name: ['text', 'name'], sort: ['integer', 'sort'] },
  },
} as const satisfies {
  [K in Kind]: {
    table: string
    columns: Record<string, readonly [type: string, name: Exclude<keyof RowOf[K], symbol>]>
  }
}

/** The columns that notices are about. They contain no names. */
const WATCHED: { readonly [K in Kind]?: readonly (keyof (typeof TABLES)[K]['columns'])[] } = {
  contact: ['case_manager_id'],
  appointment: ['contact_id', 'date', 'time', 'scheduled'],
  document: ['contact_id', 'portal_document_id', 'box_file_id', 'status'],
  claim: ['contact_id', 'stage'],
}

/** The values of a row's watched columns, by their names in `port.ts`. */
export interface Watched {
  deleted: boolean
  [column: string]: string | boolean | null
}

export interface RowChange {
  id: string
  modifiedAt: Date
  /** Null for a row that is new. */
  before: Watched | null
  after: Watched
}

function watchedColumns(kind: Kind, modifiedAt = 'new.modified_at'): string {
  const columns: Record<string, readonly [type: string, name: string]> = TABLES[kind].columns
  const object = (row: string) =>
    `jsonb_build_object('deleted', ${row}.deleted ${(WATCHED[kind] ?? [])
      .map((column) => `, '${columns[column]![1]}', ${row}.${column}`)
      .join('')})`
  return `, ${modifiedAt} as "modifiedAt", ${object('new')} as after,
    case when old.id is not null then ${object('old')} end as before`
}

export const tableOf = (kind: Kind) => sql.table(TABLES[kind].table)

/**
 * The CRM's timestamps have a precision of one second, so two changes can have the same one. A row with the
 * same time is therefore written if its content differs, and skipped if not. Most are skipped, because each
 * pass reads the changes of the last minute again.
 * The order of the locks is that of the ids, so that two workers with the same rows do not deadlock. Comparing bytes is
 * faster than comparing by the rules of a language.
 */
function upsertText(kind: Kind): string {
  const { table, columns } = TABLES[kind]
  const entries = Object.entries<readonly [string, string]>(columns)
  const names = entries.map(([column]) => column)
  const list = (prefix: string) => names.map((column) => `${prefix}.${column}`).join(', ')
  const isDocument = kind === 'document'
  return `
    with written as (insert into ${table} as stored (id, modified_at, deleted, ${names.join(', ')}
      ${isDocument ? ', status_since' : ''})
    select r.id, r."modifiedAt", r.deleted, ${entries.map(([, [, name]]) => `r."${name}"`).join(', ')}
      ${isDocument ? `, case when r.status is not null then r."modifiedAt" end` : ''}
    from jsonb_to_recordset(cast($1 as jsonb)) as r(id text, "modifiedAt" timestamptz, deleted boolean,
      ${entries.map(([, [type, name]]) => `"${name}" ${type}`).join(', ')})
    order by r.id collate "C"
    on conflict (id) do update set modified_at = excluded.modified_at, deleted = excluded.deleted,
      ${names.map((column) => `${column} = excluded.${column}`).join(', ')}
      ${isDocument ? STATUS_SINCE : ''}
    where stored.modified_at < excluded.modified_at
      or (stored.modified_at = excluded.modified_at
        and (stored.deleted, ${list('stored')}) is distinct from (excluded.deleted, ${list('excluded')}))
      returning new.id${isDocument ? `, ${IS_EMPTIED} as emptied` : ''}
        ${watchedColumns(kind)} ${kind === 'claim' ? CLAIM_CHANGE : ''})
    ${isDocument ? REOPEN : ''}
    select * from written`
}

const STATUS_SINCE = `, status_since = case when stored.status is distinct from excluded.status
  then excluded.status_since else stored.status_since end`

/** The columns of `ClaimChange`. */
const CLAIM_CHANGE = `, new.stage, new.stage_label as "stageLabel",
  case when new.stage_since is distinct from old.stage_since then new.stage_since end as "newSince"`

/** Staff removed the file of a document in the CRM, and so request it again. */
const IS_EMPTIED = `old.box_file_id is not null and new.box_file_id is null and not new.deleted
  and old.modified_at < new.modified_at`
/** The veteran's file stays theirs, but no longer answers the request. */
const REOPEN = `, reopened as (update documents set crm_id = null, request_name = null
  from written where written.emptied and documents.crm_id = written.id)`

const UPSERTS = Object.fromEntries(
  Object.keys(TABLES).map((kind) => [kind, upsertText(kind as Kind).split('$1')]),
) as Record<Kind, [before: string, after: string]>

/** Removes the content of rows that were deleted in the CRM or belong to an erased account. */
async function withoutErasedContent(
  db: Queryable,
  rows: readonly RowOf[Kind][],
): Promise<object[]> {
  const contacts = [...new Set(rows.map(contactOf).filter((id) => id !== undefined))]
  const erased = contacts.length > 0 ? await erasedContacts(db, contacts) : new Set()
  return rows.map((row) => {
    const { id, modifiedAt, deleted } = row
    if (!deleted && !erased.has(contactOf(row))) return row
    return { id, modifiedAt, deleted, ...('masterId' in row && { masterId: row.masterId }) }
  })
}

function contactOf(row: RowOf[Kind]): string | undefined {
  if ('contactId' in row) return row.contactId
  // Only contacts have this field.
  return 'portalUserId' in row ? row.id : undefined
}

/** Returns the rows that changed. `stages`: those of claims, in their order. */
export async function upsertRows<K extends Kind>(
  db: Queryable,
  kind: K,
  rows: readonly RowOf[K][],
  stages: readonly Stage[] = [],
): Promise<RowChange[]> {
  if (rows.length === 0) return []
  const [before, after] = UPSERTS[kind]
  const json = JSON.stringify(await withoutErasedContent(db, rows))
  const written = await sql<
    RowChange & ClaimChange
  >`${sql.raw(before)}${json}${sql.raw(after)}`.execute(db)
  if (kind === 'claim') await storeSteps(db, written.rows, stages)
  return written.rows
}

const allColumnsNull = (kind: Kind) =>
  sql.raw(
    [...Object.keys(TABLES[kind].columns), ...(kind === 'document' ? ['status_since'] : [])]
      .map((column) => `${column} = null`)
      .join(', '),
  )

/** The contacts whose portal user id, as the CRM has it, is the id of this account. */
export async function contactsOfAccount(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('crm_contact')
    .select('id')
    .where('portal_user_id', '=', userId)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Clears the mirrored content of these contacts and returns the CRM's ids of the cleared rows. The rows stay,
 * so that the nightly comparison does not read them again.
 */
export async function clearContacts(tx: Tx, contactIds: string[]) {
  const clear = async (kind: 'contact' | 'appointment' | 'document' | 'claim', key: string) => {
    const { rows } = await sql<{ id: string }>`
      update ${tableOf(kind)} set ${allColumnsNull(kind)}
        ${kind === 'contact' ? sql`` : sql`, shown_contact_id = null`}
      where ${sql.ref(key)} = any(${contactIds}) and (${kind} = 'claim' or not deleted)
      returning id`.execute(tx)
    return rows.map(({ id }) => id).toSorted()
  }
  const claims = await clear('claim', 'contact_id')
  await deleteSteps(tx, claims)
  return {
    claims,
    appointments: await clear('appointment', 'contact_id'),
    documents: await clear('document', 'contact_id'),
    contacts: await clear('contact', 'id'),
  }
}

/** Marks rows as deleted that the CRM no longer has, as if they were deleted now. Returns those that were not yet. */
export async function markDeleted(
  tx: Tx,
  kind: Kind,
  ids: readonly string[],
): Promise<RowChange[]> {
  const { rows } = await sql<RowChange>`
    update ${tableOf(kind)} set deleted = true, ${allColumnsNull(kind)}
    where id = any(${ids}::text[]) and not deleted
    returning new.id ${sql.raw(watchedColumns(kind, 'now()'))}`.execute(tx)
  if (kind === 'claim') await deleteSteps(tx, ids)
  return rows
}

/**
 * Removes rows that are marked as deleted and whose last change in the CRM is more than `days` old. Claims that were
 * hidden with their object must have been hidden that long, too. A row removed too early would be inserted again if
 * the CRM still returned an older version of it.
 */
export async function purgeDeleted(db: Queryable, kind: Kind, days: number): Promise<void> {
  const expiry = sql`now() - make_interval(days => ${days})`
  const hiddenLong = kind === 'claim' ? sql`and coalesce(hidden_at < ${expiry}, true)` : sql``
  await sql`delete from ${tableOf(kind)}
    where deleted and modified_at < ${expiry} ${hiddenLong}`.execute(db)
}
