import { extname } from 'node:path'
import type { FileKind } from '../../files/checks/check-file.ts'

const EXTENSIONS: Record<FileKind, readonly string[]> = {
  pdf: ['.pdf'],
  jpeg: ['.jpg', '.jpeg'],
}

/** The name as given where its ending fits the content; else with the fitting one behind it. */
export function namedAs(kind: FileKind, name: string): string {
  const fitting = EXTENSIONS[kind]
  return fitting.includes(extname(name).toLowerCase()) ? name : `${name}${fitting[0]}`
}
