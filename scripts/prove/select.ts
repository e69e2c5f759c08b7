import { globSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { GROUPS, proofs } from './proofs.ts'

const root = resolve(import.meta.dirname, '../..')
const names = proofs.map(({ name }) => name)
const inOrder = (selected: ReadonlySet<string>) => names.filter((name) => selected.has(name))

/** The proofs in a folder of `tests/proof/`. */
const proofsIn = (group: string) =>
  globSync(`tests/proof/${group}/*.test.ts`, { cwd: root }).map((file) =>
    basename(file, '.test.ts'),
  )

/** What the command takes instead of names. */
export const COMMANDS = new Set(['all', 'touched', 'page'])

export const isKnown = (name: string) =>
  names.includes(name) || GROUPS.some((group) => group === name)

/** The proofs with these names or in these groups. */
export function proofsNamed(given: readonly string[]): string[] {
  return inOrder(new Set(given.flatMap((name) => (names.includes(name) ? [name] : proofsIn(name)))))
}

/** The proofs of what these files belong to. A helper selects its proof if it has its name, and otherwise its group. */
function proofsOfFile(file: string): string[] {
  const [, group, part = ''] = /^tests\/proof\/([^/]+)\/([^./]+)/.exec(file) ?? []
  if (group !== undefined) return names.includes(part) ? [part] : proofsIn(group)
  // A test beside the product changes nothing that a proof measures.
  if (/\.test(-d)?\.tsx?$/.test(file)) return []
  return proofs
    .filter(({ touches }) => touches.some((path) => file.startsWith(path)))
    .map(({ name }) => name)
}

export function proofsTouchedBy(files: readonly string[]): string[] {
  return inOrder(new Set(files.flatMap(proofsOfFile)))
}
