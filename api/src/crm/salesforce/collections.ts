import type { CrmOperation, CrmResult } from '../port.ts'
import { CrmRefused, CrmUnavailable } from '../port.ts'
import { BASE } from './connection.ts'
import type { SalesforceConnection } from './connection.ts'
import type { Deadline } from './deadline.ts'
import { failureOf, unreadable } from './errors.ts'
import { UPDATES } from './records.ts'
import type { CollectionRecord, Variant } from './records.ts'
import { checkedId, isId } from './soql.ts'

/** Salesforce's limits of one composite call. */
const MAX_PARTS = 5
const MAX_RECORDS = 200
/** The query is part of an address, which may have 16,384 characters. */
const MAX_SEARCHES = 100

export interface Item {
  /** The position of the operation, for its result. */
  at: number
  operation: CrmOperation
  variant: Variant
  /** Undefined for a search. */
  record?: CollectionRecord
  /** Only items of the same group share a part. */
  group?: string
}

/** One subrequest: a query of several searches, or a collection of records. */
export interface Part {
  path: string | undefined
  items: Item[]
}

/** Fills the parts in the given order. */
export function pack(items: readonly Item[]): {
  parts: Part[]
  leftOver: { at: number; why: 'did-not-fit' | 'repeated' }[]
} {
  const parts: Part[] = []
  const leftOver: { at: number; why: 'did-not-fit' | 'repeated' }[] = []
  const keys = new Set<string>()
  for (const item of items) {
    const path = item.record?.path
    const key = item.record && `${path} ${item.record.key}`
    const max = item.record ? MAX_RECORDS : MAX_SEARCHES
    const open = parts.findLast((part) => part.path === path && part.items[0]?.group === item.group)
    if (key !== undefined && keys.has(key)) leftOver.push({ at: item.at, why: 'repeated' })
    else if (open && open.items.length < max) open.items.push(item)
    else if (parts.length < MAX_PARTS) parts.push({ path, items: [item] })
    else {
      leftOver.push({ at: item.at, why: 'did-not-fit' })
      continue
    }
    if (key !== undefined) keys.add(key)
  }
  // Salesforce processes neighboring records of the same type as one block: sorting by type makes fewer blocks.
  for (const { items: records } of parts) {
    records.sort((a, b) => objectOf(a).localeCompare(objectOf(b)))
  }
  return { parts, leftOver }
}

const objectOf = ({ record }: Item) =>
  (record?.fields['attributes'] as { type: string } | undefined)?.type ?? ''

export interface PartReply {
  referenceId: string
  httpStatusCode: number
  body: unknown
}

/** One call of the quota. The response is a success even if parts of it failed. */
export async function sendParts(
  connection: SalesforceConnection,
  parts: readonly Part[],
  searchPath: (operations: readonly CrmOperation[]) => string,
  deadline: Deadline,
): Promise<PartReply[]> {
  const compositeRequest = parts.map(({ path, items }, at) => ({
    referenceId: `part${at}`,
    ...(path === undefined
      ? { method: 'GET', url: BASE + searchPath(items.map(({ operation }) => operation)) }
      : {
          method: 'PATCH',
          url: BASE + path,
          body: { allOrNone: false, records: items.map(({ record }) => record?.fields) },
        }),
  }))
  const call = { allOrNone: false, collateSubrequests: false, compositeRequest }
  const { body } = await connection.send<{ compositeResponse?: PartReply[] }>(
    { method: 'POST', path: '/composite', body: call },
    deadline,
  )
  const replies = body.compositeResponse
  const isComplete =
    replies?.length === parts.length &&
    replies.every(({ referenceId }, at) => referenceId === `part${at}`)
  if (!isComplete) throw unreadable()
  return replies
}

/** The result of each record of a collection. */
export function collectionResults({ items }: Part, reply: PartReply): CrmResult[] {
  const { httpStatusCode, body } = reply
  if (httpStatusCode >= 300) return items.map(() => failureOf(httpStatusCode, body))
  if (!Array.isArray(body) || body.length !== items.length) return items.map(() => unreadable())
  return body.map((answer, at) => resultOf(answer, items[at]!))
}

function resultOf(answer: unknown, { record }: Item): CrmResult {
  const { id, success, errors } = (answer ?? {}) as Record<string, unknown>
  if (success === true) {
    if (typeof id !== 'string' || !isId(id)) return unreadable()
    const isOther = record !== undefined && record.path === UPDATES && record.key !== checkedId(id)
    return isOther ? unreadable() : { value: checkedId(id) }
  }
  if (!Array.isArray(errors)) return unreadable()
  const codes = errors.map((error: { statusCode?: unknown } | null) => ({
    errorCode: error?.statusCode,
  }))
  return failureOf(400, codes)
}

/**
 * Whether the part was refused as a whole, which is not the answer to each of its records: one of them may be the
 * cause.
 */
export const isRefusedAsWhole = ({ items }: Part, { httpStatusCode, body }: PartReply): boolean =>
  items.length > 1 && httpStatusCode >= 300 && failureOf(httpStatusCode, body) instanceof CrmRefused

export const asTemporary = (failure: CrmResult): CrmUnavailable =>
  new CrmUnavailable(failure instanceof Error ? failure.code : 'UNEXPECTED')
