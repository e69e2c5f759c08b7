import { lstatSync } from 'node:fs'

/** Another user can write to a temporary folder: trust only directories that are ours. */
export function isOwnDirectory(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return false
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}
