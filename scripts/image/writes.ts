import { lstatSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The files and folders of an image's root that were made or changed since then. */
export function changedSince(root: string, time: number): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => lstatSync(path).ctimeMs > time)
    .map((path) => relative(root, path))
}
