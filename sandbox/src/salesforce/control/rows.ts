import { untilSo } from '../../waiting.ts'
import type { Org } from '../data/org.ts'
import type { Row } from '../data/row.ts'
import { notFound } from '../problem.ts'
import { resolve } from '../soql/path.ts'
import { recordOf } from '../soql/project.ts'
import type { WireRecord } from '../soql/project.ts'
import { textOf } from '../text.ts'

const MOST = 1_000

/** Living rows whose fields have these values, as soon as there is one or the wait is over. */
export async function waitForRows(
  org: Org,
  name: string,
  wanted: [string, string][],
  signal: AbortSignal,
): Promise<WireRecord[]> {
  const object = org.schema.object(name)
  if (object === undefined) throw notFound()
  const fields = object.fields.map((field) => ({ steps: [], field }))
  const tests = wanted.map(([field, value]) => ({ path: resolve(org, object, field), value }))
  const matches = (row: Row) => {
    const record = recordOf(
      org,
      object,
      row,
      tests.map(({ path }) => path),
    )
    return tests.every(({ path, value }) => textOf(record[path.field.name]) === value)
  }
  let found: WireRecord[] = []
  await untilSo(org.changes, 'change', signal, () => {
    found = []
    for (const row of candidates(org, object.name, tests)) {
      if (row.deleted || !matches(row)) continue
      found.push(recordOf(org, object, row, fields))
      if (found.length >= MOST) break
    }
    return found.length > 0
  })
  return found
}

function candidates(
  org: Org,
  name: string,
  tests: { path: ReturnType<typeof resolve>; value: string }[],
): Iterable<Row> {
  const table = org.table(name)!
  for (const { path, value } of tests) {
    const rows = table.find(path.field.name, value)
    if (path.steps.length === 0 && rows !== undefined) return rows
  }
  return table.all()
}
