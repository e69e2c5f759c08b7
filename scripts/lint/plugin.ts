import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { packages, rooms } from './directions.ts'

/** A room's path as a matcher; `*` is one folder name and is captured. */
function within(room: string, path: string, folder = '[^/]+'): RegExpMatchArray | null {
  const pattern = room.replaceAll('.', '\\.').replace('*', `(${folder})`)
  return path.match(new RegExp(`^${pattern}(?:/|$)`))
}

/** The sentence to print, or undefined where the import is allowed. Paths are relative to the repository. */
export function forbidden(file: string, specifier: string): string | undefined {
  const owned = packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
  if (owned) {
    const allowed = owned.onlyIn.some((room) => within(room, file))
    return allowed ? undefined : `${owned.name} may be named only in ${owned.onlyIn.join(', ')}`
  }
  const target = targetOf(file, specifier)
  const home = rooms.find(({ room }) => within(room, file))
  if (!target || !home) return undefined
  const folder = within(home.room, file)?.[1]
  // Tests may also use the helpers that boot their workspace.
  const helpers = /\.test\.tsx?$/.test(file) ? [`${file.split('/')[0]}/test`] : []
  const allowed = [home.room, ...home.mayImport, ...helpers].some((room) =>
    within(room, target, folder),
  )
  return allowed ? undefined : `${home.room} may not import ${target}`
}

function targetOf(file: string, specifier: string): string | undefined {
  const workspace = specifier.match(/^@guidon\/(.+)$/)?.[1]
  if (workspace) return workspace
  if (!specifier.startsWith('.')) return undefined
  return join(dirname(file), specifier).split(sep).join('/')
}

function rootOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package-lock.json')) || folder === dirname(folder)) return folder
  }
}

interface ImportNode {
  source?: { value?: unknown } | null
}
interface RuleContext {
  filename: string
  report(problem: { node: ImportNode; message: string }): void
}

const direction = {
  create(context: RuleContext) {
    const filename = resolve(context.filename)
    const file = relative(rootOf(filename), filename).split(sep).join('/')
    const check = (node: ImportNode) => {
      if (typeof node.source?.value !== 'string') return
      const message = forbidden(file, node.source.value)
      if (message) context.report({ node, message })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    }
  },
}

export default { meta: { name: 'house' }, rules: { direction } }
