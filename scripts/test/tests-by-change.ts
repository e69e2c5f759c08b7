import { dirname, join, normalize } from 'node:path/posix'

/** The tests of a feature use it through the running app, so their imports do not show which files they check. */
const FEATURE = /^(api|web)\/src\/features\/[^/]+\//
/** What usually changes: a feature, or a subject of the contract. */
const PART = /^(api|web)\/src\/features\/[^/]+\/|^contract\//
/** Files that join all parts for everyone: if they passed on changes of parts, each would select every test. */
const JOINS_PARTS = /^tests\/support\/|^contract\/src\/endpoints\.ts$/
const TEST = /\.test\.tsx?$/
const CODE = /\.(tsx?|css|js)$/
/** Has no effect on a test: `npm run types` checks it. */
const TYPE_IMPORT = /^(import|export) type (\w+|\{[^}]*\}|\* as \w+) from '[^']*'/gm
const QUOTED = /(['"])([@\w./*-]+)\1/g
const PACKAGES: Readonly<Record<string, string>> = {
  '@guidon/contract/': 'contract/src/',
  '@guidon/sandbox/': 'sandbox/src/',
  '@guidon/tests/': 'tests/support/',
}

interface Tree {
  /** Relative to the root of the repository. */
  files: readonly string[]
  read(file: string): string
}

/** Returns a function that lists the tests of `npm test` which check a changed file. */
export function testsByChange(tree: Tree): (changed: string) => string[] {
  const tests = tree.files.filter((file) => TEST.test(file) && tree.files.includes(configOf(file)))
  const users = usersOfFiles(tree, tests)
  return (changed) => {
    /** Whether the change came to the file through a part. */
    const reached = new Map<string, boolean>()
    const visit = (file: string, fromPart: boolean) => {
      const throughPart = fromPart || PART.test(file)
      const before = reached.get(file)
      if (before === false || before === throughPart) return
      reached.set(file, throughPart)
      if (TEST.test(file)) return
      for (const user of users.get(file) ?? []) {
        // A change of a part stops at the files that other parts share, and at their tests.
        const stops = PART.test(file) ? JOINS_PARTS.test(user) : throughPart
        if (TEST.test(user) || !stops) visit(user, throughPart)
      }
      const feature = FEATURE.exec(file)?.[0]
      if (feature === undefined) return
      for (const test of tests) if (test.startsWith(feature)) visit(test, throughPart)
    }
    visit(changed, false)
    return tests.filter((test) => reached.has(test))
  }
}

const configOf = (test: string) => `${test.split('/', 1)[0]}/vitest.config.ts`

/** The files that import each file or name it in a string, such as the script of a process. */
function usersOfFiles({ files, read }: Tree, tests: readonly string[]): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>()
  const add = (used: string, user: string) => {
    const known = users.get(used)
    if (known) known.add(user)
    else users.set(used, new Set([user]))
  }
  const below = filesBelow(files)
  for (const file of files.filter((name) => CODE.test(name))) {
    for (const [, , name = ''] of read(file).replaceAll(TYPE_IMPORT, '').matchAll(QUOTED)) {
      for (const path of pathsOf(name, file)) {
        for (const used of below.get(path) ?? [path]) add(used, file)
      }
    }
  }
  for (const test of tests) {
    const shared = [configOf(test), 'vitest.config.ts', 'package.json', 'package-lock.json']
    for (const file of shared) add(file, test)
  }
  return users
}

function filesBelow(files: readonly string[]): Map<string, string[]> {
  const below = new Map<string, string[]>()
  for (const file of files) {
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
      const found = below.get(folder)
      if (found) found.push(file)
      else below.set(folder, [file])
    }
  }
  return below
}

/** The files and folders, relative to the root, that a string of a file may name. */
function pathsOf(text: string, file: string): string[] {
  for (const [prefix, folder] of Object.entries(PACKAGES)) {
    if (text.startsWith(prefix)) return [`${folder}${text.slice(prefix.length)}.ts`]
  }
  const name = text.replace(/\/?\*.*/, '')
  // A single word is rarely the name of a folder, and `../..` is a step to find one.
  if (!/\w/.test(name) || !/[./]/.test(name)) return []
  const beside = join(dirname(file), name)
  // Tests also read files from the root, such as pages of the docs.
  return TEST.test(file) ? [beside, normalize(name)] : [beside]
}
