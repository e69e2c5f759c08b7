import { lstatSync } from 'node:fs'

/** Temporary folders are everybody's: trust nothing there that somebody else could have put. */
export function isOwnDirectory(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return false
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}
