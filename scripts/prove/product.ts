import { execFileSync, spawnSync } from 'node:child_process'

/** What is released. Tests, docs and scripts are not part of it, so a change of these leaves the results valid. */
const FILES =
  'api contract web brand salesforce deploy package-lock.json :!*.test.* :!*.test-d.ts'.split(' ')

/** The product in a Git repository. */
export function productIn(repository: string) {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trimEnd()
  const exists = (revision: string) =>
    spawnSync('git', ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`], {
      cwd: repository,
    }).status === 0
  const lines = (text: string) => (text === '' ? [] : text.split('\n'))

  return {
    /** The last commit that changed the product. */
    revision: () => git('log', '-1', '--format=%H', '--', ...FILES),
    uncommitted: () => git('status', '--porcelain', '--', ...FILES),
    /** What `prove -- touched` compares with. */
    base: () => ['@{upstream}', 'origin/main'].find(exists) ?? 'HEAD~1',
    /** All files, of the product or not, that were changed since the common ancestor with `base`, committed or not. */
    changedSince: (base: string) => [
      ...lines(git('diff', '--name-only', '--no-renames', git('merge-base', base, 'HEAD'))),
      ...lines(git('ls-files', '--others', '--exclude-standard')),
    ],
  }
}

export type Product = ReturnType<typeof productIn>
