import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brand as schema, BRAND_FILES } from '@guidon/contract/brand'
import type { Brand } from '@guidon/contract/brand'

export interface BrandFolder {
  brand: Brand
  files: ReadonlyMap<string, Buffer>
}

/** Read at start, so that a broken brand folder stops the process. */
export function readBrand(folder: string): BrandFolder {
  const parsed = schema.safeParse(JSON.parse(readFileSync(join(folder, 'brand.json'), 'utf8')))
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`brand.json of ${folder} is invalid:\n${lines.join('\n')}`)
  }
  const files = BRAND_FILES.map(
    (name) => [`/brand/${name}`, readFileSync(join(folder, name))] as const,
  )
  return { brand: parsed.data, files: new Map(files) }
}
