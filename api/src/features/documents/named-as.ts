import { extname } from 'node:path'
import type { FileKind } from '../../files/checks/check-file.ts'
import { safeName, withEnding } from '../../files/checks/safe-name.ts'

const ENDINGS: Record<FileKind, readonly string[]> = {
  pdf: ['.pdf'],
  jpeg: ['.jpg', '.jpeg'],
}
const ALL_ENDINGS = new Set(Object.values(ENDINGS).flat())

/**
 * The name with an ending that says what the content is: a wrong one of ours is exchanged, and any other
 * stays part of the name. Never longer than a name may be.
 */
export function namedAs(kind: FileKind, name: string): string {
  const safe = safeName(name)
  const ending = extname(safe)
  if (ENDINGS[kind].includes(ending.toLowerCase())) return safe
  const isOurs = ALL_ENDINGS.has(ending.toLowerCase())
  const stem = isOurs ? safe.slice(0, -ending.length) : safe
  return withEnding(stem, ENDINGS[kind][0]!)
}
