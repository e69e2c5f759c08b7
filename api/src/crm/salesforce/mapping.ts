import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { defaultMapping } from './default-mapping.ts'
import type { Mapping } from './default-mapping.ts'

/** Names are inserted into queries, so no other characters are allowed. */
const apiName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must be an API name')
const value = z.string().min(1)

type Tree = { [name: string]: string | Tree }

/** Every known name is optional; an unknown one, such as a typo, is refused. */
function schemaOf(tree: Tree, leaf: z.ZodType): z.ZodType {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(tree).map(([name, inner]) => [
        name,
        (typeof inner === 'string'
          ? leaf
          : schemaOf(inner, name === 'values' ? value : leaf)
        ).optional(),
      ]),
    ),
  )
}

const mappingFile = schemaOf(defaultMapping, apiName)

/** Reads a JSON file that names only the differences from the default mapping. */
export function readMapping(file?: string): Mapping {
  if (file === undefined) return defaultMapping
  const read = mappingFile.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`)
  return merge(defaultMapping, read.data as Tree) as unknown as Mapping
}

function merge(base: Tree, overrides: Tree): Tree {
  const entries = Object.entries(base).map(([name, inner]) => {
    const override = overrides[name] ?? inner
    return [
      name,
      typeof inner === 'object' && typeof override === 'object' ? merge(inner, override) : override,
    ]
  })
  return Object.fromEntries(entries) as Tree
}
