import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { pageOf } from './page.ts'
import { proofs, ROWS } from './proofs.ts'
import { PAGE, proveAll, resultsIn } from './results.ts'
import type { Result } from './results.ts'
import type { Run } from './run.ts'

const root = resolve(import.meta.dirname, '../..')
const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

function newRepository() {
  const folder = mkdtempSync(join(tmpdir(), 'guidon-prove-'))
  folders.push(folder)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
  const write = (file: string, text: string) => {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const commit = () => {
    git('add', '--all')
    git('commit', '--quiet', '--message', 'a change')
  }
  git('init', '--quiet')
  git('config', 'user.name', 'A developer')
  git('config', 'user.email', 'developer@example.org')
  write('code.ts', 'first')
  commit()
  return { results: resultsIn(folder), write, commit }
}

const passed: Run = {
  passed: true,
  tests: [{ status: 'passed', title: 'holds', figures: ['rounds 5'] }],
}
const failed: Run = {
  passed: false,
  tests: [{ status: 'failed', title: 'a|b holds', figures: [] }],
}

describe('the list of proofs', () => {
  const files = globSync('tests/proof/*/*.test.ts', { cwd: root }).map((file) =>
    basename(file, '.test.ts'),
  )
  const names = proofs.map(({ name }) => name)

  it('has every proof once', () => {
    expect(names.toSorted()).toEqual(files.toSorted())
  })

  it('has a proof for each numbered property that must be proven', () => {
    const covered = new Set(proofs.flatMap(({ rows }) => rows))
    expect([...covered].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: ROWS }, (_, index) => index + 1),
    )
  })
})

describe('the command prove', () => {
  it('continues all proofs where an earlier run of the same revision stopped, and repeats what failed', () => {
    const { results, write, commit } = newRepository()
    const ran: string[] = []
    const runWith = (outcomes: Record<string, Run>) => () => {
      ran.length = 0
      return proveAll(Object.keys(outcomes), results, (name) => {
        ran.push(name)
        return outcomes[name]!
      })
    }
    expect(runWith({ one: passed, two: failed })()).toEqual(['two'])
    expect(ran).toEqual(['one', 'two'])
    expect(runWith({ one: passed, two: passed, three: passed })()).toEqual([])
    expect(ran).toEqual(['two', 'three'])
    // The page belongs to the results, so it makes no new revision.
    write(PAGE, 'the page')
    expect(results.uncommitted()).toBe('')
    commit()
    runWith({ one: passed })()
    expect(ran).toEqual([])
    write('code.ts', 'changed')
    expect(results.uncommitted()).toContain('code.ts')
    commit()
    runWith({ one: passed })()
    expect(ran).toEqual(['one'])
    results.forget(results.revision())
    runWith({ one: passed })()
    expect(ran).toEqual(['one'])
    expect([...results.newest().keys()].toSorted()).toEqual(['one', 'three', 'two'])
  })

  it('refuses the name of an unknown proof', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/prove.ts', 'nothing'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toContain('Unknown proof nothing.')
  })
})

describe('the page', () => {
  const result = (name: string, run: Run): [string, Result] => [
    name,
    { name, revision: 'a'.repeat(40), started: '2026-11-17T01:02:03.000Z', seconds: 150, ...run },
  ]
  const list = [
    { name: 'extra', rows: [], shows: 'Extra.' },
    { name: 'second', rows: [2], shows: 'Two.' },
    { name: 'first', rows: [1, 3], shows: 'One.' },
    { name: 'third', rows: [4], shows: 'Three.' },
  ]
  const tables = ['| attack | ms |', '| --- | --- |', '| none | 3 |']

  it('has a line for each proof in the order of the properties, with its result', () => {
    const long = { ...passed, tests: [{ ...passed.tests[0]!, figures: ['rounds 9', ...tables] }] }
    const page = pageOf(
      list,
      new Map([result('first', passed), result('second', failed), result('extra', long)]),
    )
    const lines = page.split('\n').filter((line) => /^\| (?:\d|\s)/.test(line))
    expect(lines).toEqual([
      '| 1, 3 | `first` | One. | full, 1 test | rounds 5 | 2026-11-17 | `aaaaaaaaaa` | 3 min | passed |',
      String.raw`| 2 | ${'`second`'} | Two. | full, 1 test |  | 2026-11-17 | ${'`aaaaaaaaaa`'} | 3 min | **failed**: a\|b holds |`,
      '| 4 | `third` | Three. |  |  |  |  |  | not run yet |',
      '|  | `extra` | Extra. | full, 1 test | [4 lines](#extra) | 2026-11-17 | `aaaaaaaaaa` | 3 min | passed |',
    ])
    expect(page).toContain(`### extra\n\n- rounds 9\n\n${tables.join('\n')}\n`)
  })
})
