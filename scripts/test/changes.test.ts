import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changesIn } from './changes.ts'

const folder = mkdtempSync(join(tmpdir(), 'guidon-changes-'))
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
const commit = () => {
  git('add', '--all')
  git('commit', '--quiet', '--message', 'a change')
}
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  git('init', '--quiet')
  git('config', 'user.name', 'A developer')
  git('config', 'user.email', 'developer@example.org')
  write('.gitignore', 'ignored.ts\n')
  for (const name of ['first', 'deleted', 'staged', 'unchanged']) write(`${name}.ts`, 'old')
  commit()
  write('first.ts', 'new')
  commit()
  write('staged.ts', 'new')
  git('add', 'staged.ts')
  rmSync(join(folder, 'deleted.ts'))
  write('a new file.ts', '')
  write('ignored.ts', '')
})

it('finds what is changed, staged, deleted or new, and no ignored file', () => {
  const { changed, files } = changesIn(folder, 'HEAD')
  expect(changed.toSorted()).toEqual(['a new file.ts', 'deleted.ts', 'staged.ts'])
  expect(files.toSorted()).toEqual(
    ['.gitignore', 'a new file.ts', 'first.ts', 'staged.ts', 'unchanged.ts'].toSorted(),
  )
})

it('finds what is committed since a revision', () => {
  expect(changesIn(folder, 'HEAD^').changed).toContain('first.ts')
})
