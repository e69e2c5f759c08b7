import { execFileSync } from 'node:child_process'

/** The files of a checkout, and those that differ from a revision, relative to its root. */
export function changesIn(root: string, revision: string) {
  const list = (...args: string[]) =>
    execFileSync('git', [...args, '-z'], { cwd: root, encoding: 'utf8' })
      .split('\0')
      .filter((file) => file !== '')
  const deleted = new Set(list('ls-files', '--deleted'))
  const untracked = list('ls-files', '--others', '--exclude-standard')
  const tracked = list('ls-files').filter((file) => !deleted.has(file))
  return {
    files: [...tracked, ...untracked],
    changed: [...list('diff', '--name-only', '--no-renames', revision), ...untracked],
  }
}
