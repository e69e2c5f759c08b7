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
/** Five queries of this many keep each address below Salesforce's limit of 16 kB, and have room for 200 emails. */
const EMAILS_PER_QUERY = 40

export interface QueryResult {
  totalSize: number
  records: RawRecord[]
  nextRecordsUrl?: string
}

export interface Reads {
  changes<K extends Kind>(kind: K, after: Cursor, deadline: Deadline): Promise<Page<RowOf[K]>>
  count(kind: Kind, deadline: Deadline): Promise<number>
  veterans(contactIds: readonly string[], deadline: Deadline): Promise<VeteranRows>
  contactsByEmail(emails: readonly string[], deadline: Deadline): Promise<ContactRow[]>
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

  /** Up to five queries, as one call of the quota unless Salesforce splits a result. */
  async function queries(
    deadline: Deadline,
    asked: [reader: Reader<unknown>, soql: string][],
  ): Promise<RawRecord[][]> {
    if (asked.length === 0) return []
    const parts = await composite(
      connection,
      deadline,
      asked.map(([{ hasDeleted }, soql]) => ({
        method: 'GET',
        path: queryPath(soql, hasDeleted),
      })),
    )
    const results = await Promise.all(
      parts.map((part) => withFurtherPages(part as QueryResult, deadline)),
    )
    return results.map(({ records }) => records)
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
      const ids = [...new Set(contactIds.filter(isId).map(idLiteral))].join(', ')
      if (!ids) return { contacts: [], caseManagers: [], appointments: [], documents: [] }
      const { contact, user, appointment, document } = kindReaders
      const manager = relationshipOf(mapping.contact.fields.caseManager)
      const managerFields = user.fields.map((field) => `${manager}.${field}`)
      const queryByContact = (reader: Reader<unknown>, field: string) =>
        `${selectFrom(reader)} WHERE ${field} IN (${ids})`
      const [contacts, appointments, documents] = await queries(deadline, [
        [contact, `${selectFrom(contact, managerFields)} WHERE Id IN (${ids})`],
        [appointment, queryByContact(appointment, mapping.appointment.fields.contact)],
        [document, queryByContact(document, mapping.document.fields.contact)],
      ])
      const caseManagers = contacts!
        .map((record) => record[manager] as RawRecord | null | undefined)
        .filter((record) => record !== null && record !== undefined)
        .map(user.row)
      return {
        contacts: contacts!.map(contact.row),
        caseManagers: [...new Map(caseManagers.map((row) => [row.id, row])).values()],
        appointments: appointments!.map(appointment.row),
        documents: documents!.map(document.row),
      }
    },

    async contactsByEmail(emails, deadline) {
      const { contact } = kindReaders
      const { email: emailField } = mapping.contact.fields
      const literals = emails
        .map((email) => email.trim())
        // An empty text would match every contact without an email.
        .filter((email) => email && email.length <= MAX_EMAIL)
        .map(textLiteral)
      const found = await queries(
        deadline,
        chunks([...new Set(literals)], EMAILS_PER_QUERY).map((some) => [
          contact,
          `${selectFrom(contact)} WHERE ${emailField} IN (${some.join(', ')})`,
        ]),
      )
      const rows = found.flat().map(contact.row)
      return [...new Map(rows.map((row) => [row.id, row])).values()]
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

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )
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
