import { CrmRefused } from '../port.ts'
import type { ContactRow, Cursor, Kind, Page, Read, RowOf, VeteranRows, Version } from '../port.ts'
import type { Reply, SalesforceConnection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import type { Mapping } from './default-mapping.ts'
import { unreadable } from './errors.ts'
import { MAX_QUERIES, sendQueries } from './queries.ts'
import { readers, versionOf } from './rows.ts'
import type { Reader, RawRecord } from './rows.ts'
import { checkedUuid, idLiteral, isId, momentLiteral, relationshipOf, textLiteral } from './soql.ts'

const PAGE_SIZE = 2_000
const MAX_CONTACTS_FOUND = 200
/** A query is part of the address, whose length is limited. */
const IDS_A_QUERY = 200
/** The length of an email field of Salesforce. */
const MAX_EMAIL = 80

export interface QueryResult {
  records: RawRecord[]
  nextRecordsUrl?: string
}

export interface Reads {
  changes<K extends Kind>(kind: K, after: Cursor, deadline: Deadline): Promise<Page<RowOf[K]>>
  tick(
    reads: readonly Read[],
    deadline: Deadline,
  ): Promise<PromiseSettledResult<Page<RowOf[Kind]>>[]>
  wholeRows<K extends Kind>(kind: K, afterId: string, deadline: Deadline): Promise<Page<RowOf[K]>>
  versions(kind: Kind, afterId: string, deadline: Deadline): Promise<Page<Version>>
  rows<K extends Kind>(kind: K, ids: readonly string[], deadline: Deadline): Promise<RowOf[K][]>
  veterans(contactIds: readonly string[], deadline: Deadline): Promise<VeteranRows>
  veteransByEmail(emails: readonly string[], deadline: Deadline): Promise<VeteranRows>
  findContacts(email: string, userId: string, deadline: Deadline): Promise<ContactRow[]>
}

export function reads(
  connection: SalesforceConnection,
  mapping: Mapping,
  stageLabels?: ReadonlyMap<string, string>,
): Reads {
  const kindReaders = readers(mapping, stageLabels)

  async function query(path: string, deadline: Deadline): Promise<Reply<QueryResult>> {
    const first = await connection.send<QueryResult>({ method: 'GET', path }, deadline)
    return { ...first, body: { records: await allRecords(connection, first.body, deadline) } }
  }

  /**
   * Up to five queries, as one call of the quota unless Salesforce splits a result. If the query of the
   * reader `optional` is refused, its result is empty.
   */
  async function queries(
    deadline: Deadline,
    asked: [reader: Reader<unknown>, soql: string][],
    optional?: Reader<unknown>,
  ): Promise<RawRecord[][]> {
    if (asked.length === 0) return []
    const paths = asked.map(([{ hasDeleted }, soql]) => queryPath(soql, hasDeleted))
    const { results } = await sendQueries(connection, deadline, paths)
    return Promise.all(
      results.map(async (result, at) => {
        try {
          return await allRecords(connection, result() as QueryResult, deadline)
        } catch (error) {
          if (error instanceof CrmRefused && asked[at]![0] === optional) return []
          throw error
        }
      }),
    )
  }

  async function veteransWhere(
    field: string,
    literals: readonly string[],
    deadline: Deadline,
  ): Promise<VeteranRows> {
    if (literals.length === 0) {
      return { contacts: [], caseManagers: [], appointments: [], documents: [], claims: [] }
    }
    const { contact, user, appointment, document, claim } = kindReaders
    const manager = relationshipOf(mapping.contact.fields.caseManager)
    const managerFields = user.fields.map((name) => `${manager}.${name}`)
    const ofContact = (lookup: string) =>
      field === 'Id' ? lookup : `${relationshipOf(lookup)}.${field}`
    const inLiterals = `IN (${literals.join(', ')})`
    const detailsIn = (reader: Reader<unknown>, lookup: string): [Reader<unknown>, string] => [
      reader,
      `${selectFrom(reader)} WHERE ${ofContact(lookup)} ${inLiterals}`,
    ]
    const [contacts = [], appointments = [], documents = [], claims = []] = await queries(
      deadline,
      [
        [contact, `${selectFrom(contact, managerFields)} WHERE ${field} ${inLiterals}`],
        detailsIn(appointment, mapping.appointment.fields.contact),
        detailsIn(document, mapping.document.fields.contact),
        ...(mapping.claim ? [detailsIn(claim, mapping.claim.fields.contact)] : []),
      ],
      claim,
    )
    const caseManagers = contacts
      .map((record) => record[manager] as RawRecord | null | undefined)
      .filter((record) => record !== null && record !== undefined)
      .map(user.row)
    return {
      contacts: contacts.map(contact.row),
      caseManagers: [...new Map(caseManagers.map((row) => [row.id, row])).values()],
      appointments: appointments.map(appointment.row),
      documents: documents.map(document.row),
      claims: claims.map(claim.row),
    }
  }

  const changesPath = (reader: Reader<unknown>, after: Cursor) =>
    queryPath(
      reader.isConfiguration
        ? selectFrom(reader)
        : `${selectFrom(reader)} WHERE ${changedAfter(after)} ORDER BY SystemModstamp, Id LIMIT ${PAGE_SIZE}`,
      reader.hasDeleted,
    )

  function pageOf<Row>(reader: Reader<Row>, result: QueryResult, asOf: string): Page<Row> {
    const records = recordsOf(result)
    const isSplit = result.nextRecordsUrl !== undefined
    if (!reader.isConfiguration) {
      const full = isSplit || records.length >= PAGE_SIZE
      return { rows: records.map(reader.row), full, asOf }
    }
    const sorted = records.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    return { rows: sorted.map(reader.row), full: isSplit, asOf }
  }

  async function pageById<Row extends Version>(
    { isConfiguration }: Reader<unknown>,
    select: string,
    rowOf: (record: RawRecord) => Row,
    afterId: string,
    deadline: Deadline,
  ): Promise<Page<Row>> {
    const after = afterId && `WHERE Id > ${idLiteral(afterId)} `
    const range = isConfiguration ? '' : ` ${after}ORDER BY Id LIMIT ${PAGE_SIZE}`
    const { body, asOf } = await query(queryPath(select + range, false), deadline)
    // Not all types of configuration can be ordered by the CRM.
    const rows = body.records.map(rowOf).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    return { rows, full: !isConfiguration && rows.length >= PAGE_SIZE, asOf }
  }

  return {
    async changes(kind, after, deadline) {
      const reader = kindReaders[kind]
      const { body, asOf } = await query(changesPath(reader, after), deadline)
      return pageOf(reader, body, asOf)
    },

    async tick(wanted, deadline) {
      const paths = wanted.map(({ kind, after }) => changesPath(kindReaders[kind], after))
      const { results, asOf } = await sendQueries(connection, deadline, paths)
      return Promise.allSettled(
        wanted.map(async ({ kind }, at) => {
          const reader: Reader<RowOf[Kind]> = kindReaders[kind]
          return pageOf(reader, results[at]!() as QueryResult, asOf)
        }),
      )
    },

    wholeRows(kind, afterId, deadline) {
      const reader = kindReaders[kind]
      return pageById(reader, selectFrom(reader), reader.row, afterId, deadline)
    },

    versions(kind, afterId, deadline) {
      const reader = kindReaders[kind]
      const select = `SELECT Id, SystemModstamp FROM ${reader.object}`
      return pageById(reader, select, versionOf, afterId, deadline)
    },

    async rows(kind, ids, deadline) {
      const reader = kindReaders[kind]
      const asked: [typeof reader, string][] = []
      for (let from = 0; from < ids.length; from += IDS_A_QUERY) {
        const list = ids
          .slice(from, from + IDS_A_QUERY)
          .map(idLiteral)
          .join(', ')
        asked.push([reader, `${selectFrom(reader)} WHERE Id IN (${list})`])
      }
      if (asked.length > MAX_QUERIES) throw new RangeError('too many ids for one call')
      return (await queries(deadline, asked)).flat().map(reader.row)
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
      const byUserId = `${portalUserId} = ${textLiteral(checkedUuid(userId))}`
      // An empty text would match every contact without an email.
      const byEmail = email.trim() && `${emailField} = ${textLiteral(email.trim())}`
      const where = [byEmail, byUserId].filter(Boolean).join(' OR ')
      const soql = `${selectFrom(kindReaders.contact)} WHERE ${where} ORDER BY Id LIMIT ${MAX_CONTACTS_FOUND}`
      const { body } = await query(queryPath(soql, false), deadline)
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

/** Salesforce splits a result of wide rows, even below the requested limit. */
export async function allRecords(
  connection: SalesforceConnection,
  first: Partial<QueryResult> | null,
  deadline: Deadline,
): Promise<RawRecord[]> {
  const records = [...recordsOf(first)]
  let next = first?.nextRecordsUrl
  while (next !== undefined) {
    const { body } = await connection.send<QueryResult>({ method: 'GET', path: next }, deadline)
    records.push(...recordsOf(body))
    next = body.nextRecordsUrl
  }
  return records
}

function recordsOf(result: Partial<QueryResult> | null): RawRecord[] {
  if (!Array.isArray(result?.records)) throw unreadable()
  return result.records
}

function orderOf(record: RawRecord): string {
  return `${String(record['SystemModstamp'])} ${String(record['Id'])}`
}
