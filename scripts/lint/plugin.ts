import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { folders, packages } from './directions.ts'

/** Returns the start of the path that the pattern of a folder matches, or undefined. */
function matchedPath(folder: string, path: string): string | undefined {
  const pattern = folder
    .replaceAll('.', String.raw`\.`)
    .replace('/**', '')
    .replace('*', '[^/]+')
  return path.match(new RegExp(`^${pattern}(?=/|$)`))?.[0]
}

/** The folder of the list that a file belongs to. */
function folderOf(path: string): { pattern: string; name: string } | undefined {
  for (const pattern of Object.keys(folders)) {
    const name = matchedPath(pattern, path)
    if (name) return { pattern, name }
  }
  return undefined
}

/** The message for a forbidden import, or undefined where it is allowed. Paths are relative to the repository. */
export function forbidden(file: string, specifier: string): string | undefined {
  const restricted = Object.entries(packages).find(
    ([name]) => specifier === name || specifier.startsWith(`${name}/`),
  )
  if (restricted) {
    const [name, allowedIn] = restricted
    const allowed = allowedIn.some((folder) => matchedPath(folder, file))
    return allowed ? undefined : `${name} may be imported only in ${allowedIn.join(', ')}`
  }
  const target = targetOf(file, specifier)
  const importingFolder = folderOf(file)
  const importedFolder = target && folderOf(target)
  if (!importedFolder || !importingFolder) return undefined
  const allowed = folders[importingFolder.pattern] ?? []
  if (importedFolder.name === importingFolder.name || allowed.includes(importedFolder.pattern))
    return undefined
  if (allowed.some((folder) => folder.endsWith('/**') && matchedPath(folder, target)))
    return undefined
  // Tests may also use the helpers that boot their workspace.
  const isTest = /\.test\.tsx?$/.test(file)
  const helpers = [`${file.split('/')[0]}/test/`, 'tests/support/']
  if (isTest && helpers.some((folder) => target.startsWith(folder))) return undefined
  return `${importingFolder.name} may not import ${target}`
}

function targetOf(file: string, specifier: string): string | undefined {
  const workspace = specifier.match(/^@guidon\/(.+)$/)?.[1]
  if (workspace) return workspace.replace(/^tests\//, 'tests/support/')
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

export default { meta: { name: 'guidon' }, rules: { direction } }
