import type { Org } from '../data/org.ts'
import { valueOf } from '../data/row.ts'
import type { Row } from '../data/row.ts'
import { apiValue } from '../data/values.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import { follow } from './path.ts'
import type { Path } from './path.ts'

export const VERSION = 'v64.0'

export type ApiRecord = Record<string, unknown>

/** A row as the API returns it: a parent is a nested record, or null. */
export function recordOf(
  org: Org,
  object: ObjectSchema,
  row: Row,
  paths: readonly Path[],
): ApiRecord {
  const record: ApiRecord = { attributes: attributesOf(object.name, row.id) }
  for (const path of paths) {
    let target = record
    for (const [depth, step] of path.steps.entries()) {
      const parent = follow(org, row, path.steps.slice(0, depth + 1))
      if (parent === undefined) {
        target[step.relationship!] = null
        break
      }
      target = (target[step.relationship!] ??= {
        attributes: attributesOf(step.references!, parent.id),
      }) as ApiRecord
    }
    const end = follow(org, row, path.steps)
    if (end === undefined) continue
    target[path.field.name] = apiValue(path.field, valueOf(end, path.field.name))
  }
  return record
}

function attributesOf(type: string, id: string) {
  return { type, url: `/services/data/${VERSION}/sobjects/${type}/${id}` }
}
