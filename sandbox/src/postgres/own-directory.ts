import { lstatSync } from 'node:fs'

/** Other users can write to the temporary folder, so trust only a directory that nobody else owns or can write to. */
export function isOwnDirectory(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return false
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}
