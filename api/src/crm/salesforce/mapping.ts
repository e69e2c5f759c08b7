import { z } from 'zod'
import { readJsonFile } from '../../platform/json-file.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { defaultMapping, OPTIONAL } from './default-mapping.ts'
import type { Mapping } from './default-mapping.ts'

/** Names are inserted into queries, so no other characters are allowed. */
const apiName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must be an API name')
const value = z.string().min(1)

type Tree = { [name: string]: string | Tree }
type Overrides = { [name: string]: string | Overrides | null }

/**
 * Every known name may be left out; an unknown one, such as a typo, is refused. Null, allowed only for names in
 * `OPTIONAL`, says that the provider has no such object or field.
 */
function schemaOf(tree: Tree, leaf: z.ZodType, path = ''): z.ZodType {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(tree).map(([name, inner]) => {
        const own = typeof inner === 'string' ? leaf : innerSchema(name, inner, leaf, path)
        return [name, (OPTIONAL.includes(path + name) ? own.nullable() : own).optional()]
      }),
    ),
  )
}

function innerSchema(name: string, tree: Tree, leaf: z.ZodType, path: string): z.ZodType {
  if (name === 'values') return schemaOf(tree, value, 'values.')
  return schemaOf(tree, leaf, path || `${name}.`)
}

const mappingFile = schemaOf(defaultMapping, apiName)

/** Reads a JSON file that names only the differences from the default mapping. */
export function readMapping(file?: string): Mapping {
  if (file === undefined) return defaultMapping
  const read = mappingFile.safeParse(readJsonFile(file))
  if (!read.success) throw new OperatorError(`${file} is invalid:\n${z.prettifyError(read.error)}`)
  return merge(defaultMapping, read.data as Overrides) as unknown as Mapping
}

function merge(base: Tree, overrides: Overrides): Tree {
  const merged: Tree = {}
  for (const [name, inner] of Object.entries(base)) {
    const override = overrides[name]
    if (override === null) continue
    const isTree = typeof inner === 'object' && typeof override === 'object'
    merged[name] = isTree ? merge(inner, override) : ((override as string | undefined) ?? inner)
  }
  return merged
}
