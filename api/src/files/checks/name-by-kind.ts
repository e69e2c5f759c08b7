import { extname } from 'node:path'
import type { FileKind } from './check-file.ts'
import { safeName, withEnding } from './safe-name.ts'

const EXTENSIONS: Record<FileKind, readonly string[]> = {
  pdf: ['.pdf'],
  jpeg: ['.jpg', '.jpeg'],
}
const ALL_EXTENSIONS = new Set(Object.values(EXTENSIONS).flat())

/**
 * Gives a name the extension of its content, within the maximal length. Replaces a wrong extension of an
 * accepted kind; keeps any other one as part of the name.
 */
export function nameByKind(kind: FileKind, name: string): string {
  const safe = safeName(name)
  const extension = extname(safe)
  if (EXTENSIONS[kind].includes(extension.toLowerCase())) return safe
  const isWrongKind = ALL_EXTENSIONS.has(extension.toLowerCase())
  const stem = isWrongKind ? safe.slice(0, -extension.length) : safe
  return withEnding(stem, EXTENSIONS[kind][0]!)
}
