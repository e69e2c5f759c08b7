import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8')

/** The names of the classes, without those of libraries. */
function classesIn(css: string): Set<string> {
  const own = css.replaceAll(/\/\*[^]*?\*\/|:global\([^)]*\)/g, '')
  return new Set([...own.matchAll(/\.([a-z][\w-]*)(?=[^;{}]*\{)/gi)].map(([, name]) => name!))
}

const usedIn = (code: string) =>
  new Set([...code.matchAll(/\bcss\[['"]([\w-]+)['"]\]/g)].map(([, name]) => name!))

it('has a component beside each style sheet, which uses exactly its classes', () => {
  const sheets = globSync(`${import.meta.dirname}/**/*.module.css`)
  const differences = sheets.flatMap((sheet) => {
    const [component = ''] = globSync(sheet.replace('.module.css', '.{ts,tsx}'))
    const [styled, used] = [classesIn(read(sheet)), usedIn(read(component))]
    const names = [...styled, ...used].filter((name) => !styled.has(name) || !used.has(name))
    return names.map((name) => `${relative(import.meta.dirname, sheet)}: ${name}`)
  })
  expect(sheets.length).toBeGreaterThan(0)
  expect(differences).toEqual([])
})
