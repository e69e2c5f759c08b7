import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { PAGE, pageOf, rowOf, rowsOf } from './page.ts'
import { productIn } from './product.ts'
import { GROUPS, proofs, ROWS } from './proofs.ts'
import { pageIn, proveEach } from './prove-each.ts'
import type { Run } from './run.ts'
import { proofsNamed, proofsTouchedBy } from './select.ts'

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
  write('api/code.ts', 'first')
  write(PAGE, '')
  commit()
  return { product: productIn(folder), page: pageIn(folder), write, commit }
}

const test = (change: Partial<Run['tests'][number]> = {}) => ({
  status: 'passed',
  title: 'holds',
  figures: [],
  headlines: [],
  failures: [],
  ...change,
})
const passed: Run = { passed: true, tests: [test()] }
const failed: Run = { passed: false, tests: [test({ status: 'failed', title: 'a|b holds' })] }

describe('the list of proofs', () => {
  const files = globSync('tests/proof/*/*.test.ts', { cwd: root })
  const names = proofs.map(({ name }) => name)

  it('has every proof once, and its groups are the folders', () => {
    expect(names.toSorted()).toEqual(files.map((file) => basename(file, '.test.ts')).toSorted())
    expect(new Set(files.map((file) => file.split('/')[2]))).toEqual(new Set(GROUPS))
  })

  it('has a proof for each numbered property that must be proven', () => {
    const covered = new Set(proofs.flatMap(({ rows }) => rows))
    expect([...covered].toSorted((a, b) => a - b)).toEqual(ROWS)
  })

  it('names only files and folders that exist as what a proof depends on', () => {
    const paths = proofs.flatMap(({ touches }) => touches)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('has only proofs with figures for the page', () => {
    const silent = files.filter(
      (file) => !readFileSync(join(root, file), 'utf8').includes('headline.'),
    )
    expect(silent).toEqual([])
  })
})

describe('the names that the command takes', () => {
  it('are proofs and groups, which run once and in the order of the list', () => {
    expect(proofsNamed(['refresh', 'origin', 'refresh'])).toEqual(['origin', 'refresh'])
    const security = proofsNamed(['security', 'refresh'])
    expect(security).toEqual(expect.arrayContaining(['matrix', 'sign-in-model']))
    expect(security).not.toContain('soak')
  })

  it('are refused if a proof is unknown', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/prove.ts', 'nothing'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toContain('Unknown proof nothing.')
  })
})

describe('a change touches', () => {
  it.each([
    ['the proofs of its folder', 'api/src/files/box/upload.ts', ['box-faults', 'killed-uploads']],
    ['a proof, if it is its own file', 'tests/proof/load/soak.test.ts', ['soak']],
    [
      'a proof, if it is its helper',
      'tests/proof/security/sign-in-model/model.ts',
      ['sign-in-model'],
    ],
    [
      'the group of a shared helper',
      'tests/proof/load/check-out.ts',
      ['hostile', 'soak', 'visits'],
    ],
  ])('%s', (_what, file, expected) => {
    expect(proofsTouchedBy([file])).toEqual(expect.arrayContaining(expected))
    expect(proofsTouchedBy([file])).not.toContain('refresh')
  })

  it('no proof with a test or a page', () => {
    expect(proofsTouchedBy(['api/src/http/app.test.ts', 'README.md'])).toEqual([])
  })

  it('with its commits since the base, and with what is not committed', () => {
    const { product, write, commit } = newRepository()
    write('api/second.ts', 'second')
    commit()
    write('api/code.ts', 'changed')
    write('web/new.ts', 'new')
    expect(product.base()).toBe('HEAD~1')
    expect(product.changedSince('HEAD~1')).toEqual(['api/code.ts', 'api/second.ts', 'web/new.ts'])
  })
})

describe('all proofs', () => {
  it('go on where an earlier run on the same product stopped, and repeat what failed', () => {
    const { product, page, write, commit } = newRepository()
    const ran: string[] = []
    const proveAll = (outcomes: Record<string, Run>, skipPassed = true) => {
      ran.length = 0
      const runProof = (name: string) => {
        ran.push(name)
        return outcomes[name]!
      }
      return proveEach(Object.keys(outcomes), { product, page, runProof, skipPassed })
    }
    expect(proveAll({ matrix: passed, origin: failed })).toEqual(['origin'])
    expect(ran).toEqual(['matrix', 'origin'])
    expect(page.rows().get('origin')?.result).toBe(String.raw`**failed**: a\|b holds`)
    expect(proveAll({ matrix: passed, origin: passed, soak: passed })).toEqual([])
    expect(ran).toEqual(['origin', 'soak'])
    // Tests and pages are not part of the product.
    write('api/code.test.ts', 'a test')
    write('tests/proof/load/soak.test.ts', 'a proof')
    commit()
    proveAll({ matrix: passed })
    expect(ran).toEqual([])
    proveAll({ matrix: passed }, false)
    expect(ran).toEqual(['matrix'])
    write('api/code.ts', 'changed')
    expect(product.uncommitted()).toContain('api/code.ts')
    const before = page.rows()
    proveAll({ matrix: failed })
    expect(ran).toEqual(['matrix'])
    expect(page.rows()).toEqual(before)
    commit()
    proveAll({ matrix: passed })
    expect(ran).toEqual(['matrix'])
    expect(page.rows().get('matrix')).toMatchObject({
      revision: product.revision().slice(0, 10),
      result: 'passed',
    })
  })
})

describe('a row of the page', () => {
  const sum = (name: string, value: number) => ({ name, value, combine: 'sum' as const })
  const max = (name: string, value: number) => ({ name, value, combine: 'max' as const })
  const rowWith = (...headlines: ReturnType<typeof sum | typeof max>[]) =>
    rowOf({ passed: true, tests: [test({ headlines })] }, new Date('2026-11-17'), 'a'.repeat(40))

  it('combines the figures of several tests, and rounds them', () => {
    const { figures } = rowWith(
      sum('cells', 10_000),
      max('ms', 1.23456),
      sum('cells', 40),
      max('ms', 1),
    )
    expect(figures).toBe('cells 10,040; ms 1.23')
  })

  it('has at most four figures', () => {
    const five = ['a', 'b', 'c', 'd', 'e'].map((name) => sum(name, 1))
    expect(() => rowWith(...five)).toThrow('More than 4 figures')
  })

  it('is read as it was written', () => {
    const rows = new Map([
      ['matrix', rowWith(sum('a | b < c', 1))],
      ['origin', rowOf(failed, new Date('2026-11-17'), 'b'.repeat(40))],
    ])
    expect(rowsOf(pageOf(proofs, rows))).toEqual(rows)
  })
})

describe('the page', () => {
  const page = readFileSync(join(root, PAGE), 'utf8')

  it('has the proofs and sentences of the list: `npm run prove -- page` writes it again', () => {
    expect(page).toBe(pageOf(proofs, rowsOf(page)))
  })

  it('is short enough to be read', () => {
    const lines = page.split('\n')
    expect(lines.length).toBeLessThan(120)
    expect(lines.filter(({ length }) => length > 250)).toEqual([])
  })
})
