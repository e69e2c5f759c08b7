import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { defaultMapping } from './default-mapping.ts'
import type { Mapping } from './default-mapping.ts'

/** A name or a value of an org; names go into queries, so they are nothing but names. */
const apiName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must be an API name')
const value = z.string().min(1)

type Tree = { [name: string]: string | Tree }

/** Exactly the names that the portal knows, each of them optional: a typing error is not overlooked. */
function partOf(tree: Tree, leaf: z.ZodType): z.ZodType {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(tree).map(([name, inner]) => [
        name,
        (typeof inner === 'string'
          ? leaf
          : partOf(inner, name === 'values' ? value : leaf)
        ).optional(),
      ]),
    ),
  )
}

export const mappingFile = partOf(defaultMapping, apiName)

/** How this org names things: a JSON file that says only what differs from the source we deploy. */
export function readMapping(file?: string): Mapping {
  if (file === undefined) return defaultMapping
  const read = mappingFile.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`)
  return merged(defaultMapping, read.data as Tree) as unknown as Mapping
}

function merged(base: Tree, over: Tree): Tree {
  const entries = Object.entries(base).map(([name, inner]) => {
    const given = over[name] ?? inner
    return [
      name,
      typeof inner === 'object' && typeof given === 'object' ? merged(inner, given) : given,
    ]
  })
  return Object.fromEntries(entries) as Tree
}
