import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BRAND_FILES } from '@guidon/contract/brand'
import type { Brand } from '@guidon/contract/brand'
import { joinBrandFiles } from '@guidon/contract/brand-folder'
import { stages as stagesSchema } from '@guidon/contract/stages'
import type { Stage } from '@guidon/contract/stages'
import type * as z from 'zod/mini'
import { readJsonFile } from './json-file.ts'
import { OperatorError } from './operator-error.ts'

export interface BrandFolder {
  brand: Brand
  /** The stages of a claim in their order; empty if the folder has no `stages.json`. */
  stages: readonly Stage[]
  files: ReadonlyMap<string, Buffer>
}

/** Read at start, so that a broken brand folder stops the process. */
export function readBrand(folder: string): BrandFolder {
  try {
    return readFolder(folder)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    const { code, path, message } = error as NodeJS.ErrnoException
    const reason = path ? `${path} cannot be read (${code})` : message
    throw new OperatorError(
      `The brand folder cannot be used: ${reason}. Check BRAND_DIR and docs/operate/brand.md.`,
    )
  }
}

function readFolder(folder: string): BrandFolder {
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
  const read = type.safeParse(readJsonFile(join(folder, name)))
  if (read.success) return read.data
  const lines = read.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new OperatorError(`${name} of ${folder} is invalid:\n${lines.join('\n')}`)
}
