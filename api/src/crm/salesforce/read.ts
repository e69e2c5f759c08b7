import type { ContactRow, Cursor, Kind, Page, RowOf, VeteranRows } from '../port.ts'
import { composite } from './composite.ts'
import type { Reply, SalesforceConnection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import type { Mapping } from './default-mapping.ts'
import { unreadable } from './errors.ts'
import { readers } from './rows.ts'
import type { Reader, RawRecord } from './rows.ts'
import { checkedUuid, idLiteral, isId, momentLiteral, relationshipOf, textLiteral } from './soql.ts'

const PAGE_SIZE = 2_000
const MAX_CONTACTS_FOUND = 200
/** The length of an email field of Salesforce. */
const MAX_EMAIL = 80

export interface QueryResult {
  totalSize: number
  records: RawRecord[]
  nextRecordsUrl?: string
}

export interface Reads {
  changes<K extends Kind>(kind: K, after: Cursor, deadline: Deadline): Promise<Page<RowOf[K]>>
  count(kind: Kind, deadline: Deadline): Promise<number>
  veterans(contactIds: readonly string[], deadline: Deadline): Promise<VeteranRows>
  veteransByEmail(emails: readonly string[], deadline: Deadline): Promise<VeteranRows>
  findContacts(email: string, userId: string, deadline: Deadline): Promise<ContactRow[]>
}

export function reads(connection: SalesforceConnection, mapping: Mapping): Reads {
  const kindReaders = readers(mapping)

  async function query(
    soql: string,
    includeDeleted: boolean,
    deadline: Deadline,
  ): Promise<Reply<QueryResult>> {
    const call = { method: 'GET', path: queryPath(soql, includeDeleted) } as const
    const first = await connection.send<QueryResult>(call, deadline)
    return { ...first, body: await withFurtherPages(first.body, deadline) }
  }

  /** Salesforce splits a result of wide rows, even below the requested limit. */
  async function withFurtherPages(first: QueryResult, deadline: Deadline): Promise<QueryResult> {
    const records = [...recordsOf(first)]
    let next = first.nextRecordsUrl
    while (next !== undefined) {
      const { body } = await connection.send<QueryResult>({ method: 'GET', path: next }, deadline)
      records.push(...recordsOf(body))
      next = body.nextRecordsUrl
    }
    return { totalSize: first.totalSize, records }
  }

  /** One call of the quota, unless Salesforce splits a result. */
  async function veteransWhere(
    field: string,
    literals: readonly string[],
    deadline: Deadline,
  ): Promise<VeteranRows> {
    if (literals.length === 0) {
      return { contacts: [], caseManagers: [], appointments: [], documents: [] }
    }
    const { contact, user, appointment, document } = kindReaders
    const manager = relationshipOf(mapping.contact.fields.caseManager)
    const managerFields = user.fields.map((name) => `${manager}.${name}`)
    const ofContact = (lookup: string) =>
      field === 'Id' ? lookup : `${relationshipOf(lookup)}.${field}`
    const selects = [
      [contact, selectFrom(contact, managerFields), field],
      [appointment, selectFrom(appointment), ofContact(mapping.appointment.fields.contact)],
      [document, selectFrom(document), ofContact(mapping.document.fields.contact)],
    ] as const
    const calls = selects.map(([{ hasDeleted }, select, by]) => ({
      method: 'GET' as const,
      path: queryPath(`${select} WHERE ${by} IN (${literals.join(', ')})`, hasDeleted),
    }))
    const parts = await composite(connection, deadline, calls)
    const [contacts, appointments, documents] = await Promise.all(
      parts.map((part) => withFurtherPages(part as QueryResult, deadline)),
    )
    const caseManagers = contacts!.records
      .map((record) => record[manager] as RawRecord | null | undefined)
      .filter((record) => record !== null && record !== undefined)
      .map(user.row)
    return {
      contacts: contacts!.records.map(contact.row),
      caseManagers: [...new Map(caseManagers.map((row) => [row.id, row])).values()],
      appointments: appointments!.records.map(appointment.row),
      documents: documents!.records.map(document.row),
    }
  }

  async function readAll<Row>(reader: Reader<Row>, deadline: Deadline): Promise<Page<Row>> {
    const { body, asOf } = await query(selectFrom(reader), false, deadline)
    const records = body.records.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    return { rows: records.map(reader.row), full: false, asOf }
  }

  return {
    async changes(kind, after, deadline) {
      const reader = kindReaders[kind]
      if (reader.isConfiguration) return readAll(reader, deadline)
      const soql = `${selectFrom(reader)} WHERE ${changedAfter(after)} ORDER BY SystemModstamp, Id LIMIT ${PAGE_SIZE}`
      const { body, asOf } = await query(soql, reader.hasDeleted, deadline)
      return { rows: body.records.map(reader.row), full: body.records.length >= PAGE_SIZE, asOf }
    },

    async count(kind, deadline) {
      const { body } = await query(
        `SELECT COUNT() FROM ${kindReaders[kind].object}`,
        false,
        deadline,
      )
      return body.totalSize
    },

    async veterans(contactIds, deadline) {
      const ids = new Set(contactIds.filter(isId).map(idLiteral))
      return veteransWhere('Id', [...ids], deadline)
    },

    async veteransByEmail(emails, deadline) {
      // An empty text would match every contact without an email.
      const possible = emails.map((email) => email.trim()).filter((email) => email !== '')
      const literals = new Set(
        possible.filter(({ length }) => length <= MAX_EMAIL).map(textLiteral),
      )
      return veteransWhere(mapping.contact.fields.email, [...literals], deadline)
    },

    async findContacts(email, userId, deadline) {
      const { email: emailField, portalUserId } = mapping.contact.fields
      const isOwn = `${portalUserId} = ${textLiteral(checkedUuid(userId))}`
      // An empty text would match every contact without an email.
      const hasEmail = email.trim() && `${emailField} = ${textLiteral(email.trim())}`
      const where = [hasEmail, isOwn].filter(Boolean).join(' OR ')
      const soql = `${selectFrom(kindReaders.contact)} WHERE ${where} ORDER BY Id LIMIT ${MAX_CONTACTS_FOUND}`
      const { body } = await query(soql, false, deadline)
      return body.records.map(kindReaders.contact.row)
    },
  }
}

export function queryPath(soql: string, includeDeleted: boolean): string {
  return `/${includeDeleted ? 'queryAll' : 'query'}?q=${encodeURIComponent(soql)}`
}

function selectFrom(reader: Reader<unknown>, extraFields: string[] = []): string {
  return `SELECT ${[...reader.fields, ...extraFields].join(', ')} FROM ${reader.object}`
}

/** The first condition is redundant, but lets the CRM use an index. */
function changedAfter({ at, id }: Cursor): string {
  const moment = momentLiteral(at)
  const since = `SystemModstamp >= ${moment}`
  if (/^0*$/.test(id)) return since
  return `${since} AND (SystemModstamp > ${moment} OR Id > ${idLiteral(id)})`
}

function recordsOf(result: Partial<QueryResult>): RawRecord[] {
  if (!Array.isArray(result.records)) throw unreadable()
  return result.records
}

function orderOf(record: RawRecord): string {
  return `${String(record['SystemModstamp'])} ${String(record['Id'])}`
}
