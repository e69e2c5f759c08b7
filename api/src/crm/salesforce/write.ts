import type { CrmOperation, CrmResult } from '../port.ts'
import { CrmRefused, CrmUnavailable } from '../port.ts'
import { asTemporary, collectionResults, isRefusedAsWhole, pack, sendParts } from './collections.ts'
import type { Item, Part, PartReply } from './collections.ts'
import { composite } from './composite.ts'
import type { Log, SalesforceConnection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import type { Mapping } from './default-mapping.ts'
import { hasCode } from './errors.ts'
import { queryPath } from './read.ts'
import type { QueryResult } from './read.ts'
import { nextVariant, recordOf } from './records.ts'
import type { WriteOperation } from './records.ts'
import { searches } from './searches.ts'
import { checkedId, checkedUuid, textLiteral } from './soql.ts'

/** At most this many rare operations of one send get calls of their own. */
const MAX_SINGLE = 5
/** The first call, and six more for records that the org refuses as they are: see `nextVariant`. */
const MAX_PASSES = 7
/** A part that was refused as a whole is sent again in this many smaller parts. */
const SPLIT = 4

export interface Writes {
  send(operations: readonly CrmOperation[], deadline: Deadline): Promise<CrmResult[]>
}

export function writes(connection: SalesforceConnection, mapping: Mapping, log: Log): Writes {
  const { contact } = mapping
  const { portalUserId } = contact.fields
  const { searchPath, searchResults } = searches(connection, mapping)
  const contactPath = (id: string) => `/sobjects/${contact.object}/${checkedId(id)}`

  async function contactsWithUserId(userId: string, deadline: Deadline): Promise<string[]> {
    const where = `${portalUserId} = ${textLiteral(checkedUuid(userId))}`
    const soql = `SELECT Id FROM ${contact.object} WHERE ${where} LIMIT 20`
    const { body } = await connection.send<QueryResult>(
      { method: 'GET', path: queryPath(soql, false) },
      deadline,
    )
    return body.records.map(({ Id }) => checkedId(String(Id)))
  }

  /** Removes the id from other contacts and sets it on this one, all or none. */
  async function moveLink(contactId: string, userId: string, deadline: Deadline): Promise<string> {
    const id = checkedId(contactId)
    const others = (await contactsWithUserId(userId, deadline)).filter((other) => other !== id)
    const patch = (path: string, value: string | null) =>
      ({ method: 'PATCH', path, body: { [portalUserId]: value } }) as const
    await composite(connection, deadline, [
      ...others.map((other) => patch(contactPath(other), null)),
      patch(contactPath(id), userId),
    ])
    return id
  }

  async function unlink(contactId: string, userId: string, deadline: Deadline): Promise<string> {
    const id = checkedId(contactId)
    if ((await contactsWithUserId(userId, deadline)).includes(id)) {
      const body = { [portalUserId]: null }
      await connection.send({ method: 'PATCH', path: contactPath(id), body }, deadline)
    }
    return id
  }

  const itemOf = (operation: CrmOperation, at: number): Item => {
    if (operation.kind === 'findBoxFolder') checkedId(operation.contactId)
    if (operation.kind === 'findContacts') checkedUuid(operation.userId)
    if (!isWrite(operation)) return { at, operation, variant: {} }
    return { at, operation, variant: {}, record: recordOf(mapping, operation, {}) }
  }

  /** Stores the results of one part. Returns the items to send again in another way. */
  async function settle(
    part: Part,
    reply: PartReply,
    results: CrmResult[],
    deadline: Deadline,
  ): Promise<Item[]> {
    const { path, items } = part
    const asWhole = isRefusedAsWhole(part, reply)
    const answers =
      path === undefined
        ? await searchResults(items, reply, deadline)
        : collectionResults(part, reply)
    const again: Item[] = []
    for (const [position, item] of items.entries()) {
      const answer = answers[position]!
      results[item.at] = asWhole ? asTemporary(answer) : answer
      // One of them is the cause: smaller parts find it, and let the others through.
      const group = `${items[0]!.at} ${Math.floor(position / Math.ceil(items.length / SPLIT))}`
      if (asWhole) again.push({ ...item, group })
      if (asWhole || !(answer instanceof CrmRefused) || !isWrite(item.operation)) continue
      const variant = nextVariant(mapping, item.operation, item.variant, answer)
      if (!variant) continue
      const record = recordOf(mapping, item.operation, variant)
      again.push({ at: item.at, operation: item.operation, variant, record })
    }
    return again
  }

  async function sendPacked(
    items: readonly Item[],
    results: CrmResult[],
    deadline: Deadline,
  ): Promise<Item[]> {
    const { parts, leftOver } = pack(items)
    for (const { at, why } of leftOver) results[at] = why
    const replies = await sendParts(connection, parts, searchPath, deadline)
    const again: Item[] = []
    for (const [index, part] of parts.entries()) {
      again.push(...(await settle(part, replies[index]!, results, deadline)))
    }
    return again
  }

  return {
    async send(operations, deadline) {
      const results: CrmResult[] = []
      let items: Item[] = []
      for (const [at, operation] of operations.entries()) {
        if (operation.kind === 'unlinkContact') continue
        const item = await resultOf(log, async () => itemOf(operation, at))
        if (isFailure(item)) results[at] = item
        else items.push(item.value)
      }
      if (items.length > 0) items = await sendPacked(items, results, deadline)
      for (let pass = 1; items.length > 0 && pass < MAX_PASSES; pass += 1) {
        const next = await resultOf(log, () => sendPacked(items, results, deadline))
        if (isFailure(next)) for (const { at } of items) results[at] = asTemporary(next)
        items = isFailure(next) ? [] : next.value
      }
      let singles = 0
      for (const [at, operation] of operations.entries()) {
        const single = singleOf(operation, results[at])
        if (!single) continue
        singles += 1
        results[at] =
          singles > MAX_SINGLE ? 'did-not-fit' : await resultOf(log, () => single(deadline))
      }
      return results
    },
  }

  function singleOf(operation: CrmOperation, result: CrmResult | undefined) {
    if (operation.kind === 'unlinkContact') {
      return (deadline: Deadline) => unlink(operation.contactId, operation.userId, deadline)
    }
    // Another contact still has this account's id.
    if (operation.kind === 'linkContact' && hasCode(result, 'DUPLICATE_VALUE')) {
      return (deadline: Deadline) => moveLink(operation.contactId, operation.userId, deadline)
    }
    return undefined
  }
}

const isWrite = (operation: CrmOperation): operation is WriteOperation =>
  operation.kind !== 'findContacts' &&
  operation.kind !== 'findBoxFolder' &&
  operation.kind !== 'unlinkContact'

const isFailure = (result: object): result is CrmRefused | CrmUnavailable =>
  result instanceof CrmRefused || result instanceof CrmUnavailable

async function resultOf<T>(log: Log, work: () => Promise<T>) {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof CrmRefused || error instanceof CrmUnavailable) return error
    // One record must not stop the others.
    log.error({ err: error }, 'crm: operation failed')
    return new CrmUnavailable('UNEXPECTED')
  }
}
