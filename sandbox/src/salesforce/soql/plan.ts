import type { Org } from '../data/org.ts'
import type { Row } from '../data/row.ts'
import type { Table } from '../data/table.ts'
import type { Tree, Test } from './condition.ts'
import { literalFor } from './literal.ts'
import { resolve } from './path.ts'

interface Plan {
  rows: Iterable<Row>
  /** The rows are ordered by (SystemModstamp, Id). */
  byTime: boolean
}

/** The smallest set of rows that contains the result: by a key, by time, or all of them. */
export function planFor(
  org: Org,
  table: Table,
  where: Tree | undefined,
  wantsTimeOrder: boolean,
): Plan {
  for (const test of where === undefined ? [] : conjuncts(where)) {
    const rows = byKey(org, table, test)
    if (rows !== undefined) return { rows, byTime: false }
  }
  const since = where === undefined ? -Infinity : earliest(where)
  if (since === -Infinity && !wantsTimeOrder) return { rows: table.all(), byTime: false }
  return { rows: table.since(since), byTime: true }
}

function conjuncts(tree: Tree): Test[] {
  if (tree.kind === 'test') return [tree]
  return tree.kind === 'and' ? tree.parts.flatMap(conjuncts) : []
}

function byKey(org: Org, table: Table, test: Test): Row[] | undefined {
  if (test.operator !== '=' && test.operator !== 'IN') return undefined
  if (test.literals.some((kind) => kind !== 'STRING')) return undefined
  const { steps, field } = resolve(org, table.object, test.field)
  const [step] = steps
  if (steps.length > 1) return undefined
  const target = step === undefined ? table : org.table(step.references!)!
  const found: Row[] = []
  for (const raw of new Set(test.values)) {
    const value = literalFor(field, raw, 'STRING')
    const rows =
      field.type === 'id'
        ? [target.get(String(value)) ?? []].flat()
        : target.find(field.name, value)
    if (rows === undefined) return undefined
    found.push(...rows)
  }
  // Values that differ only in case find the same rows.
  const distinct = [...new Set(found)]
  if (step === undefined) return distinct
  return distinct.flatMap(({ id }) => table.find(step.name, id) ?? [])
}

/** No row before this time can match. */
function earliest(tree: Tree): number {
  switch (tree.kind) {
    case 'and':
      return Math.max(...tree.parts.map(earliest))
    case 'or':
      return Math.min(...tree.parts.map(earliest))
    case 'not':
      return -Infinity
    case 'test': {
      const { field, operator, literals, values } = tree
      const name = field.toLowerCase()
      const isStamp = name === 'systemmodstamp' || name === 'lastmodifieddate'
      if (!isStamp || literals[0] !== 'DATETIME') return -Infinity
      return operator === '>' || operator === '>=' || operator === '='
        ? Date.parse(values[0]!)
        : -Infinity
    }
  }
}
