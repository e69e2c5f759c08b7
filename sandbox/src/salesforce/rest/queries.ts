import type { Org } from '../data/org.ts'
import { problem } from '../problem.ts'
import { recordOf, VERSION } from '../soql/project.ts'
import { runQuery } from '../soql/query.ts'
import type { Answer } from '../soql/query.ts'
import type { Call, Reply, Route } from './call.ts'

const PAGE = 2_000
const KEPT_CURSORS = 50

type Rows = Extract<Answer, { kind: 'rows' }>

/** Queries, and the pages of those that have more rows than one answer holds. */
export function queryRoutes(org: Org): Route[] {
  const cursors = new Map<string, Rows>()
  let lastCursor = 0

  function ask({ query }: Call, all: boolean): Reply {
    const soql = query.get('q')
    if (soql === null) throw problem(400, 'MALFORMED_QUERY', 'A query string has to be specified')
    const answer = runQuery(org, soql, all)
    switch (answer.kind) {
      case 'rows':
        return { status: 200, body: firstPage(answer) }
      case 'count':
        return { status: 200, body: { totalSize: answer.total, done: true, records: [] } }
      case 'aggregate': {
        const record = { attributes: { type: 'AggregateResult' }, [answer.name]: answer.total }
        return { status: 200, body: { totalSize: 1, done: true, records: [record] } }
      }
    }
  }

  function firstPage(answer: Rows) {
    if (answer.rows.length <= PAGE) return page(answer, 0, '')
    lastCursor += 1
    const cursor = `0r8xx${String(lastCursor).padStart(10, '0')}AAA`
    cursors.set(cursor, answer)
    const [oldest] = cursors.keys()
    if (cursors.size > KEPT_CURSORS) cursors.delete(oldest!)
    return page(answer, 0, cursor)
  }

  function page({ object, paths, rows }: Rows, from: number, cursor: string) {
    const records = rows.slice(from, from + PAGE).map((row) => recordOf(org, object, row, paths))
    const next = from + PAGE
    if (next >= rows.length) return { totalSize: rows.length, done: true, records }
    const nextRecordsUrl = `/services/data/${VERSION}/query/${cursor}-${next}`
    return { totalSize: rows.length, done: false, nextRecordsUrl, records }
  }

  function more(_: Call, cursor = '', from = ''): Reply {
    const rows = cursors.get(cursor)
    if (rows === undefined) throw problem(400, 'INVALID_QUERY_LOCATOR', 'invalid query locator')
    return { status: 200, body: page(rows, Number(from), cursor) }
  }

  return [
    { method: 'GET', pattern: /^\/query\/?$/, kind: 'query', answer: (call) => ask(call, false) },
    {
      method: 'GET',
      pattern: /^\/queryAll\/?$/,
      kind: 'queryAll',
      answer: (call) => ask(call, true),
    },
    { method: 'GET', pattern: /^\/query(?:All)?\/(\w+)-(\d+)$/, kind: 'queryMore', answer: more },
  ]
}
