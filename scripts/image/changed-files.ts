import { execFileSync } from 'node:child_process'
import { relative } from 'node:path'

/** Returns the files and folders under `root` that were created or changed since `time`. */
export function changedSince(root: string, time: Date): string[] {
  const found = execFileSync('find', [root, '-xdev', '-newerct', time.toISOString()], {
    encoding: 'utf8',
  })
  return found
    .split('\n')
    .filter(Boolean)
    .map((path) => relative(root, path) || '/')
}
