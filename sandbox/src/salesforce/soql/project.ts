import type { Org } from '../data/org.ts'
import { valueOf } from '../data/row.ts'
import type { Row } from '../data/row.ts'
import { shown } from '../data/values.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import { follow } from './path.ts'
import type { Path } from './path.ts'

export const VERSION = 'v64.0'

export type WireRecord = Record<string, unknown>

/** A row as it travels: a parent is a record inside the record, or null. */
export function recordOf(
  org: Org,
  object: ObjectSchema,
  row: Row,
  paths: readonly Path[],
): WireRecord {
  const record: WireRecord = { attributes: attributesOf(object.name, row.id) }
  for (const path of paths) {
    let place = record
    for (const [depth, step] of path.steps.entries()) {
      const parent = follow(org, row, path.steps.slice(0, depth + 1))
      if (parent === undefined) {
        place[step.relationship!] = null
        break
      }
      place = (place[step.relationship!] ??= {
        attributes: attributesOf(step.references!, parent.id),
      }) as WireRecord
    }
    const end = follow(org, row, path.steps)
    if (end !== undefined) place[path.field.name] = shown(path.field, valueOf(end, path.field.name))
  }
  return record
}

function attributesOf(type: string, id: string) {
  return { type, url: `/services/data/${VERSION}/sobjects/${type}/${id}` }
}
