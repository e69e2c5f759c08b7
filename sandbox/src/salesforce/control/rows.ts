import { waitUntil } from '../../long-poll.ts'
import type { Org } from '../data/org.ts'
import type { Row } from '../data/row.ts'
import { notFound } from '../errors.ts'
import { resolve } from '../soql/path.ts'
import { recordOf } from '../soql/project.ts'
import type { ApiRecord } from '../soql/project.ts'
import { textOf } from '../text.ts'

const MAX_ROWS = 20_000

/** Waits until rows have these values and are not deleted, and returns them; returns none if `signal` aborts first. */
export async function waitForRows(
  org: Org,
  name: string,
  values: [string, string][],
  signal: AbortSignal,
): Promise<ApiRecord[]> {
  const object = org.schema.object(name)
  if (object === undefined) throw notFound()
  const fields = object.fields.map((field) => ({ steps: [], field }))
  const tests = values.map(([field, value]) => ({ path: resolve(org, object, field), value }))
  const matches = (row: Row) => {
    const record = recordOf(
      org,
      object,
      row,
      tests.map(({ path }) => path),
    )
    return tests.every(({ path, value }) => textOf(record[path.field.name]) === value)
  }
  let found: ApiRecord[] = []
  await waitUntil(org.changes, 'change', signal, () => {
    found = []
    for (const row of candidates(org, object.name, tests)) {
      if (row.deleted || !matches(row)) continue
      found.push(recordOf(org, object, row, fields))
      if (found.length >= MAX_ROWS) break
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
