import { parseQuery } from '@jetstreamapp/soql-parser-js'
import type { FieldType, OrderByClause, Query } from '@jetstreamapp/soql-parser-js'
import type { Org } from '../data/org.ts'
import type { Row } from '../data/row.ts'
import { apiError } from '../errors.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import { textOf } from '../text.ts'
import { malformed, treeOf } from './condition.ts'
import { compare, filterOf, folded } from './filter.ts'
import { readerOf, resolve } from './path.ts'
import type { Path } from './path.ts'
import { planFor } from './plan.ts'

const MAX_OFFSET = 2_000

export type QueryResult =
  | { kind: 'rows'; object: ObjectSchema; paths: Path[]; rows: Row[] }
  | { kind: 'count'; total: number }
  | { kind: 'aggregate'; name: string; total: number }

export function runQuery(org: Org, soql: string, includeDeleted: boolean): QueryResult {
  const query = parse(soql)
  const object = org.schema.object(query.sObject ?? '')
  if (object === undefined) {
    throw apiError(400, 'INVALID_TYPE', `sObject type '${query.sObject}' is not supported.`)
  }
  refuseUnsupported(query)
  const fields = query.fields ?? []
  const functionCall = fields.find((field) => field.type === 'FieldFunctionExpression')
  const paths =
    functionCall === undefined ? fields.map((field) => resolve(org, object, nameOf(field))) : []
  const rows = select(org, object, query, includeDeleted)
  if (functionCall === undefined) return { kind: 'rows', object, paths, rows }
  if (functionCall.functionName.toUpperCase() !== 'COUNT' || fields.length > 1) {
    throw malformed('COUNT is the only function that the sandbox supports')
  }
  const [parameter] = functionCall.parameters
  if (parameter === undefined) return { kind: 'count', total: rows.length }
  const read = readerOf(org, resolve(org, object, textOf(parameter)))
  const total = rows.filter((row) => read(row) !== null).length
  return { kind: 'aggregate', name: functionCall.alias ?? 'expr0', total }
}

function parse(soql: string): Query {
  try {
    return parseQuery(soql)
  } catch (error) {
    throw malformed(error instanceof Error ? error.message.split('\n')[0]! : String(error))
  }
}

function refuseUnsupported(query: Query): void {
  if (query.groupBy !== undefined || query.having !== undefined) {
    throw malformed('the sandbox does not support GROUP BY')
  }
  if (query.sObjectAlias !== undefined) throw malformed('the sandbox does not support aliases')
  if ((query.offset ?? 0) > MAX_OFFSET) {
    throw apiError(400, 'NUMBER_OUTSIDE_VALID_RANGE', 'Maximum SOQL offset allowed is 2000')
  }
}

function nameOf(field: FieldType): string {
  if (field.type === 'FieldRelationship') return [...field.relationships, field.field].join('.')
  if (field.type === 'Field') return field.field
  throw malformed('the sandbox does not support sub-queries and TYPEOF')
}

function select(org: Org, object: ObjectSchema, query: Query, includeDeleted: boolean): Row[] {
  const tree = query.where === undefined ? undefined : treeOf(query.where)
  const passes = tree === undefined ? () => true : filterOf(org, object, tree)
  const order = [query.orderBy ?? []].flat()
  const orderIsTime = isByTime(order)
  const plan = planFor(org, org.table(object.name)!, tree, orderIsTime)
  const { limit = Infinity, offset = 0 } = query
  const enough = order.length === 0 || (orderIsTime && plan.byTime) ? limit + offset : Infinity
  const rows: Row[] = []
  for (const row of plan.rows) {
    if (rows.length >= enough) break
    if ((includeDeleted || !row.deleted) && passes(row)) rows.push(row)
  }
  if (order.length > 0 && enough === Infinity && !(orderIsTime && plan.byTime)) {
    rows.sort(sorter(org, object, order))
  }
  return limit === Infinity && offset === 0 ? rows : rows.slice(offset, offset + limit)
}

function isByTime(order: OrderByClause[]): boolean {
  const [first, second] = order
  const is = (clause: OrderByClause | undefined, name: string) =>
    clause !== undefined &&
    'field' in clause &&
    clause.field.toLowerCase() === name &&
    clause.order !== 'DESC'
  return (
    is(first, 'systemmodstamp') && (order.length === 1 || (order.length === 2 && is(second, 'id')))
  )
}

function sorter(org: Org, object: ObjectSchema, order: OrderByClause[]) {
  const keys = order.map((clause) => {
    if (!('field' in clause)) throw malformed('the sandbox can order by fields only')
    const path = resolve(org, object, clause.field)
    const sign = clause.order === 'DESC' ? -1 : 1
    // Nulls come first by default, in both directions.
    const nulls = clause.nulls === 'LAST' ? 1 : -1
    return { path, read: readerOf(org, path), sign, nulls }
  })
  return (one: Row, other: Row): number => {
    for (const { path, read, sign, nulls } of keys) {
      const left = folded(path.field, read(one))
      const right = folded(path.field, read(other))
      if (left === right) continue
      if (left === null) return nulls
      if (right === null) return -nulls
      return compare(left, right) * sign
    }
    return 0
  }
}
