import type { Org } from '../data/org.ts'
import { apiError } from '../errors.ts'
import { recordOf, VERSION } from '../soql/project.ts'
import { runQuery } from '../soql/query.ts'
import type { QueryResult } from '../soql/query.ts'
import type { Call, Reply, Route } from './call.ts'

const PAGE_SIZE = 2_000
const MAX_CURSORS = 50

type Rows = Extract<QueryResult, { kind: 'rows' }>

/** Queries, and the further pages of large results. */
export function queryRoutes(org: Org): Route[] {
  const cursors = new Map<string, Rows>()
  let lastCursor = 0

  function run({ query }: Call, includeDeleted: boolean): Reply {
    const soql = query.get('q')
    if (soql === null) throw apiError(400, 'MALFORMED_QUERY', 'A query string has to be specified')
    const result = runQuery(org, soql, includeDeleted)
    switch (result.kind) {
      case 'rows':
        return { status: 200, body: firstPage(result) }
      case 'count':
        return { status: 200, body: { totalSize: result.total, done: true, records: [] } }
      case 'aggregate': {
        const record = { attributes: { type: 'AggregateResult' }, [result.name]: result.total }
        return { status: 200, body: { totalSize: 1, done: true, records: [record] } }
      }
    }
  }

  function firstPage(result: Rows) {
    if (result.rows.length <= PAGE_SIZE) return page(result, 0, '')
    lastCursor += 1
    const cursor = `0r8xx${String(lastCursor).padStart(10, '0')}AAA`
    cursors.set(cursor, result)
    const [oldest] = cursors.keys()
    if (cursors.size > MAX_CURSORS) cursors.delete(oldest!)
    return page(result, 0, cursor)
  }

  function page({ object, paths, rows }: Rows, from: number, cursor: string) {
    const next = from + PAGE_SIZE
    const records = rows.slice(from, next).map((row) => recordOf(org, object, row, paths))
    if (next >= rows.length) return { totalSize: rows.length, done: true, records }
    const nextRecordsUrl = `/services/data/${VERSION}/query/${cursor}-${next}`
    return { totalSize: rows.length, done: false, nextRecordsUrl, records }
  }

  function more(_: Call, cursor = '', from = ''): Reply {
    const rows = cursors.get(cursor)
    if (rows === undefined) throw apiError(400, 'INVALID_QUERY_LOCATOR', 'invalid query locator')
    return { status: 200, body: page(rows, Number(from), cursor) }
  }

  return [
    { method: 'GET', pattern: /^\/query\/?$/, kind: 'query', handle: (call) => run(call, false) },
    {
      method: 'GET',
      pattern: /^\/queryAll\/?$/,
      kind: 'queryAll',
      handle: (call) => run(call, true),
    },
    { method: 'GET', pattern: /^\/query(?:All)?\/(\w+)-(\d+)$/, kind: 'queryMore', handle: more },
  ]
}
