import { KINDS } from '../port.ts'
import type { ReadFields } from '../port.ts'
import { readableFields } from './default-mapping.ts'
import type { OrgMapping, Part } from './verify.ts'

/** What is read of each kind that the org has: names, and the values that have a meaning for the portal. */
export function readFields({ mapping, stageLabels }: OrgMapping): ReadFields {
  const parts: Partial<Record<string, Part>> = mapping
  const fields: { -readonly [K in keyof ReadFields]: ReadFields[K] } = {}
  for (const kind of KINDS) {
    const part = parts[kind]
    if (!part) continue
    const values: typeof part.values =
      kind === 'claim' ? { stage: Object.fromEntries(stageLabels) } : part.values
    const linesOf = ([ours, theirs]: [string, string]) => [
      `${ours}: ${theirs}`,
      ...Object.entries(values?.[ours] ?? {}).map(([name, value]) => `${ours} ${name}: ${value}`),
    ]
    const entries = readableFields(kind, part.fields)
    fields[kind] = [`object: ${part.object}`, ...entries.flatMap(linesOf)].toSorted()
  }
  return fields
}
