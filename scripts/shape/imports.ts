import { dirname, join } from 'node:path/posix'

const IMPORT = /(?:\bfrom|\bimport\(|^import|\bmock\() ?['"]((?:\.|@guidon\/)[^'"]+)['"]/gm
const PACKAGES: Readonly<Record<string, string>> = {
  '@guidon/contract/': 'contract/src/',
  '@guidon/sandbox/': 'sandbox/src/',
  '@guidon/tests/': 'tests/support/',
}

export interface Import {
  from: string
  to: string
}

/** The imports between files of the repository, types included. */
export function importsOf(
  files: readonly string[],
  read: (file: string) => string,
): readonly Import[] {
  const known = new Set(files)
  return files.flatMap((from) =>
    [...new Set([...read(from).matchAll(IMPORT)].map(([, name = '']) => targetOf(from, name)))]
      .filter((to) => known.has(to))
      .map((to) => ({ from, to })),
  )
}

function targetOf(file: string, name: string): string {
  const found = Object.entries(PACKAGES).find(([prefix]) => name.startsWith(prefix))
  if (!found) return join(dirname(file), name)
  const path = `${found[1]}${name.slice(found[0].length)}`
  return /\.\w+$/.test(path) ? path : `${path}.ts`
}

/** Files that import each other in a circle (Tarjan's strongly connected components). */
export function circlesIn(imports: readonly Import[]): string[][] {
  const next = new Map<string, string[]>()
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to])
  const index = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (file: string) => {
    index.set(file, index.size)
    lowest.set(file, index.get(file)!)
    open.push(file)
    for (const to of next.get(file) ?? []) {
      if (!index.has(to)) visit(to)
      if (open.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(to)!))
    }
    if (lowest.get(file) !== index.get(file)) return
    const circle = open.splice(open.indexOf(file))
    if (circle.length > 1) circles.push(circle)
  }
  for (const file of next.keys()) if (!index.has(file)) visit(file)
  return circles
}

/** Where two rooms import each other, the imports in the rarer direction: one of the rooms is the lower one. */
export function runningUp(
  imports: readonly Import[],
  roomOf: (file: string) => string,
): readonly Import[] {
  const arrows = new Map<string, Import[]>()
  for (const one of imports) {
    const [from, to] = [roomOf(one.from), roomOf(one.to)]
    if (from === to) continue
    const key = `${from} ${to}`
    arrows.set(key, [...(arrows.get(key) ?? []), one])
  }
  return [...arrows].flatMap(([key, found]) => {
    const back = arrows.get(key.split(' ').toReversed().join(' ')) ?? []
    return found.length < back.length ||
      (found.length === back.length && back[0]!.from < found[0]!.from)
      ? found
      : []
  })
}
