import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BRAND_FILES } from '@guidon/contract/brand'
import type { Brand } from '@guidon/contract/brand'
import { joinBrandFiles } from '@guidon/contract/brand-folder'
import { stages as stagesSchema } from '@guidon/contract/stages'
import type { Stage } from '@guidon/contract/stages'
import type * as z from 'zod/mini'

export interface BrandFolder {
  brand: Brand
  /** The stages of a claim in their order; empty if the folder has no `stages.json`. */
  stages: readonly Stage[]
  files: ReadonlyMap<string, Buffer>
}

/** Read at start, so that a broken brand folder stops the process. */
export function readBrand(folder: string): BrandFolder {
  const files = BRAND_FILES.map(
    (name) => [`/brand/${name}`, readFileSync(join(folder, name))] as const,
  )
  return {
    brand: joinBrandFiles((name, type) => parsed(folder, name, type)),
    stages: parsed(folder, 'stages.json', stagesSchema) ?? [],
    files: new Map(files),
  }
}

/** Whether a legal text is still one of the repository's samples. */
export const hasSampleTexts = ({ legal }: Brand): boolean =>
  /sample text/i.test(JSON.stringify(legal))

function parsed<T extends z.ZodMiniType>(
  folder: string,
  name: string,
  type: T,
): z.infer<T> | undefined {
  if (!existsSync(join(folder, name))) return undefined
  const read = type.safeParse(JSON.parse(readFileSync(join(folder, name), 'utf8')))
  if (read.success) return read.data
  const lines = read.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`${name} of ${folder} is invalid:\n${lines.join('\n')}`)
}
