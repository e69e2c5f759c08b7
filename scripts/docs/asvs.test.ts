import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/security/asvs.md')

const STATES = ['met', 'not applicable', 'not met']

/** Every line of every table, as its cells. */
const table = [...page.matchAll(/^\|(.+)\|$/gm)].map(([, line = '']) =>
  line.split('|').map((cell) => cell.trim()),
)
const requirements = table
  .filter(([id]) => id?.startsWith('V'))
  .map(([id = '', words = '', state = '', where = '']) => ({ id, words, state, where }))
const levels = new Map(
  read('docs/security/asvs-ids.txt')
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [string, string]),
)

const FILE = /`([\w.-]+\/[\w./-]+|\.?[\w-]+\.(?:json|md))`/g
/** The titles after a test file, until the next file. */
const testsOf = (where: string) =>
  [...where.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`((?:[^`_]*_[^_]+_)+)/g)].flatMap(
    ([, file = '', titles = '']) =>
      [...titles.matchAll(/_([^_]+)_/g)].map(([, title = '']) => ({ file, title })),
  )
const hasTest = ({ file, title }: { file: string; title: string }) =>
  [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => read(file).includes(quoted))

const count = (ids: Set<string>) => {
  const counted = requirements.filter(({ id }) => ids.has(id))
  const perState = STATES.map((state) => counted.filter((row) => row.state === state).length)
  return [...perState, counted.length].map(String)
}
const idsOf = (...of: string[]) =>
  new Set([...levels].filter(([, level]) => of.includes(level)).map(([id]) => id))

describe('the page about ASVS', () => {
  it('has every requirement of levels 1 and 2 once, in the order of the standard', () => {
    expect(levels.size).toBe(253)
    expect(requirements.map(({ id }) => id)).toEqual([...levels.keys()])
  })

  it('has a state and a reason or a place for each of them', () => {
    const wrong = requirements.filter(
      ({ words, state, where }) => !words || !STATES.includes(state) || !where,
    )
    expect(wrong).toEqual([])
    const unfounded = requirements.filter(
      ({ state, where }) => state === 'met' && where.match(FILE) === null,
    )
    expect(unfounded).toEqual([])
    expect(
      requirements.filter(({ state, where }) => state === 'not met' && !where.includes('Cost:')),
    ).toEqual([])
  })

  it('names only files and tests that exist', () => {
    const files = [...page.matchAll(FILE)].map(([, file = '']) => file)
    expect(files.length).toBeGreaterThan(200)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
    const tests = requirements.flatMap(({ where }) => testsOf(where))
    expect(tests.length).toBeGreaterThan(100)
    expect(tests.filter((test) => !hasTest(test))).toEqual([])
  })

  it('has a test title after each test file', () => {
    const withoutTitle = requirements.filter(({ where }) => {
      const named = where.match(/`[\w./-]+\.(?:test|spec)\.tsx?`/g) ?? []
      return new Set(testsOf(where).map(({ file }) => file)).size < new Set(named).size
    })
    expect(withoutTitle.map(({ id }) => id)).toEqual([])
  })

  it('counts the requirements', () => {
    const counts = table.filter(([level]) => /^[12]/.test(level ?? ''))
    expect(counts).toEqual([
      ['1', ...count(idsOf('1'))],
      ['2', ...count(idsOf('2'))],
      ['1 and 2', ...count(idsOf('1', '2'))],
    ])
  })
})
