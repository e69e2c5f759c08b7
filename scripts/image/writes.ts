import { execFileSync } from 'node:child_process'
import { relative } from 'node:path'

/** The files and folders of an image's root that were made or changed since then. */
export function changedSince(root: string, time: Date): string[] {
  const found = execFileSync('find', [root, '-xdev', '-newerct', time.toISOString()], {
    encoding: 'utf8',
  })
  return found
    .split('\n')
    .filter(Boolean)
    .map((path) => relative(root, path) || '/')
}
