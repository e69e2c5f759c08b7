import type { ContactRow, Cursor, Kind, Page, RowOf, VeteranRows } from '../port.ts'
import { composite } from './composite.ts'
import type { Answered, SalesforceConnection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import type { Mapping } from './default-mapping.ts'
import { unreadable } from './errors.ts'
import { readers } from './rows.ts'
import type { Reader, Wire } from './rows.ts'
import { checkedUuid, idLiteral, momentLiteral, relationshipOf, textLiteral } from './soql.ts'

const PAGE = 2_000
/** Contacts that share an email are few; more than these nobody could choose from. */
const MOST_FOUND = 200

export interface QueryAnswer {
  totalSize: number
  records: Wire[]
  nextRecordsUrl?: string
}

export interface Reads {
  changes<K extends Kind>(kind: K, after: Cursor, deadline: Deadline): Promise<Page<RowOf[K]>>
  count(kind: Kind, deadline: Deadline): Promise<number>
  veteran(contactId: string, deadline: Deadline): Promise<VeteranRows>
  findContacts(email: string, userId: string, deadline: Deadline): Promise<ContactRow[]>
}

export function reads(connection: SalesforceConnection, mapping: Mapping): Reads {
  const known = readers(mapping)

  async function query(
    soql: string,
    hasBin: boolean,
    deadline: Deadline,
  ): Promise<Answered<QueryAnswer>> {
    const call = { method: 'GET', path: queryPath(soql, hasBin) } as const
    const first = await connection.send<QueryAnswer>(call, deadline)
    return { ...first, body: await rest(first.body, deadline) }
  }

  /** Wide rows come in several answers, however few were asked for. */
  async function rest(first: QueryAnswer, deadline: Deadline): Promise<QueryAnswer> {
    const records = [...recordsOf(first)]
    let next = first.nextRecordsUrl
    while (next !== undefined) {
      const { body } = await connection.send<QueryAnswer>({ method: 'GET', path: next }, deadline)
      records.push(...recordsOf(body))
      next = body.nextRecordsUrl
    }
    return { totalSize: first.totalSize, records }
  }

  async function whole<Row>(reader: Reader<Row>, deadline: Deadline): Promise<Page<Row>> {
    const { body, asOf } = await query(selecting(reader), false, deadline)
    const records = body.records.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
    return { rows: records.map(reader.row), full: false, asOf }
  }

  return {
    async changes(kind, after, deadline) {
      const reader = known[kind]
      if (reader.isWhole) return whole(reader, deadline)
      const soql = `${selecting(reader)} WHERE ${changedAfter(after)} ORDER BY SystemModstamp, Id LIMIT ${PAGE}`
      const { body, asOf } = await query(soql, reader.hasBin, deadline)
      return { rows: body.records.map(reader.row), full: body.records.length >= PAGE, asOf }
    },

    async count(kind, deadline) {
      const { body } = await query(`SELECT COUNT() FROM ${known[kind].object}`, false, deadline)
      return body.totalSize
    },

    async veteran(contactId, deadline) {
      const id = idLiteral(contactId)
      const { contact, user, appointment, document } = known
      const manager = relationshipOf(mapping.contact.fields.caseManager)
      const managed = user.fields.map((field) => `${manager}.${field}`)
      const of = (reader: Reader<unknown>, field: string) =>
        queryPath(`${selecting(reader)} WHERE ${field} = ${id}`, reader.hasBin)
      const parts = await composite(connection, deadline, [
        {
          method: 'GET',
          path: queryPath(`${selecting(contact, managed)} WHERE Id = ${id}`, true),
        },
        { method: 'GET', path: of(appointment, mapping.appointment.fields.contact) },
        { method: 'GET', path: of(document, mapping.document.fields.contact) },
      ])
      const [people, visits, papers] = await Promise.all(
        parts.map((part) => rest(part as QueryAnswer, deadline)),
      )
      const found = people?.records[0]
      const caseManager = found?.[manager] as Wire | null | undefined
      return {
        contact: found && contact.row(found),
        caseManager: caseManager ? user.row(caseManager) : undefined,
        appointments: visits!.records.map(appointment.row),
        documents: papers!.records.map(document.row),
      }
    },

    async findContacts(email, userId, deadline) {
      const { email: emailField, portalUserId } = mapping.contact.fields
      const isOwn = `${portalUserId} = ${textLiteral(checkedUuid(userId))}`
      // To the CRM an empty text is the same as none, which is what many contacts have.
      const hasEmail = email.trim() && `${emailField} = ${textLiteral(email.trim())}`
      const where = [hasEmail, isOwn].filter(Boolean).join(' OR ')
      const soql = `${selecting(known.contact)} WHERE ${where} ORDER BY Id LIMIT ${MOST_FOUND}`
      const { body } = await query(soql, false, deadline)
      return body.records.map(known.contact.row)
    },
  }
}

export function queryPath(soql: string, all: boolean): string {
  return `/${all ? 'queryAll' : 'query'}?q=${encodeURIComponent(soql)}`
}

function selecting(reader: Reader<unknown>, more: string[] = []): string {
  return `SELECT ${[...reader.fields, ...more].join(', ')} FROM ${reader.object}`
}

/** The first condition alone is implied by the second; it is there because an index can answer it. */
function changedAfter({ at, id }: Cursor): string {
  const moment = momentLiteral(at)
  const since = `SystemModstamp >= ${moment}`
  if (/^0*$/.test(id)) return since
  return `${since} AND (SystemModstamp > ${moment} OR Id > ${idLiteral(id)})`
}

function recordsOf(answer: Partial<QueryAnswer>): Wire[] {
  if (!Array.isArray(answer.records)) throw unreadable()
  return answer.records
}

function orderOf(wire: Wire): string {
  return `${String(wire['SystemModstamp'])} ${String(wire['Id'])}`
}
