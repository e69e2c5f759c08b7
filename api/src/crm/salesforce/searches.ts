import type { CrmOperation, CrmResult } from '../port.ts'
import { CrmRefused, CrmUnavailable } from '../port.ts'
import type { Item, PartReply } from './collections.ts'
import type { SalesforceConnection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import type { Mapping } from './default-mapping.ts'
import { failureOf, unreadable } from './errors.ts'
import { MAX_LENGTHS } from './fields.ts'
import { allRecords, queryPath, reads } from './read.ts'
import type { QueryResult } from './read.ts'
import { readers } from './rows.ts'
import { checkedId, checkedUuid, idLiteral, textLiteral } from './soql.ts'

/** A result of this many rows may be incomplete. */
const MAX_FOUND = 2_000
/** At most this many searches of one send get a call of their own. */
const MAX_SINGLE = 5

/** Several searches for contacts as one query. */
export function searches(connection: SalesforceConnection, mapping: Mapping) {
  const reader = readers(mapping).contact
  const { findContacts } = reads(connection, mapping)
  const { email, portalUserId } = mapping.contact.fields

  function searchPath(operations: readonly CrmOperation[]): string {
    const searched = {
      emails: new Set<string>(),
      userIds: new Set<string>(),
      ids: new Set<string>(),
    }
    for (const operation of operations) {
      if (operation.kind === 'findBoxFolder') searched.ids.add(idLiteral(operation.contactId))
      if (operation.kind !== 'findContacts') continue
      searched.userIds.add(textLiteral(checkedUuid(operation.userId)))
      const text = searchable(operation.email)
      if (text) searched.emails.add(textLiteral(text))
    }
    const where = [
      [email, searched.emails] as const,
      [portalUserId, searched.userIds] as const,
      ['Id', searched.ids] as const,
    ].flatMap(([field, values]) =>
      values.size > 0 ? [`${field} IN (${[...values].join(', ')})`] : [],
    )
    const select = `SELECT ${reader.fields.join(', ')} FROM ${reader.object}`
    return queryPath(`${select} WHERE ${where.join(' OR ')} ORDER BY Id LIMIT ${MAX_FOUND}`, false)
  }

  async function searchResults(
    items: readonly Item[],
    { httpStatusCode, body }: PartReply,
    deadline: Deadline,
  ): Promise<CrmResult[]> {
    if (httpStatusCode >= 300) return items.map(() => failureOf(httpStatusCode, body))
    try {
      const records = await allRecords(connection, body as Partial<QueryResult> | null, deadline)
      if (records.length >= MAX_FOUND) return await oneByOne(items, deadline)
      const rows = records.map(reader.row)
      return items.map(({ operation }) => {
        if (operation.kind === 'findBoxFolder') {
          const id = checkedId(operation.contactId)
          return { value: rows.find((row) => row.id === id)?.boxFolderId ?? null }
        }
        if (operation.kind !== 'findContacts') return unreadable()
        const text = searchable(operation.email)
        const isFound = (row: (typeof rows)[number]) =>
          row.portalUserId === operation.userId || (text !== '' && row.email === text)
        return { value: rows.filter(isFound) }
      })
    } catch (error) {
      if (!(error instanceof CrmRefused || error instanceof CrmUnavailable)) throw error
      return items.map(() => new CrmUnavailable(error.code))
    }
  }

  /** So many contacts have one of the emails that the common result is incomplete. */
  async function oneByOne(items: readonly Item[], deadline: Deadline): Promise<CrmResult[]> {
    const results: CrmResult[] = []
    let singleCalls = 0
    for (const { operation } of items) {
      if (operation.kind !== 'findContacts' || singleCalls >= MAX_SINGLE) {
        results.push('did-not-fit')
        continue
      }
      singleCalls += 1
      results.push({ value: await findContacts(operation.email, operation.userId, deadline) })
    }
    return results
  }

  return { searchPath, searchResults }
}

/**
 * Returns '' for an email that must not be searched: an empty one would match every contact without an email, and one
 * that is too long cannot be in the CRM.
 */
function searchable(email: string): string {
  const text = email.trim().toLowerCase()
  return text.length > MAX_LENGTHS.contact.email ? '' : text
}
