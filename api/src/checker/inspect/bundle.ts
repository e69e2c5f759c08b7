import { readFileSync, writeSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/**
 * Bundles the inspection program into one JavaScript file on standard output. Stripping the types takes longer than
 * inspecting a typical file, so each process does it only once.
 */

const MAIN = import.meta.resolve('./main.ts')
const OWN_IMPORT = /(?:from |import\()'((?:\.|@guidon\/)[^']+)'/g

const sources = new Map<string, string>()
/** The inspection must not read our folders to find a module. */
const resolved: Record<string, string> = { sharp: import.meta.resolve('sharp') }

function addWithImports(url: string): void {
  if (sources.has(url)) return
  const source = stripTypeScriptTypes(readFileSync(new URL(url), 'utf8'))
  sources.set(url, source)
  for (const [, name = ''] of source.matchAll(OWN_IMPORT)) {
    const isRelative = name.startsWith('.')
    if (!isRelative) resolved[name] = import.meta.resolve(name)
    addWithImports(isRelative ? new URL(name, url).href : resolved[name]!)
  }
}

addWithImports(MAIN)

writeSync(
  1,
  `import { registerHooks } from 'node:module'
const sources = new Map(${JSON.stringify([...sources])})
const resolved = ${JSON.stringify(resolved)}
registerHooks({
  resolve(name, context, next) {
    const isOurs = sources.has(context.parentURL)
    const url = isOurs && name.startsWith('.') ? new URL(name, context.parentURL).href : name
    const known = sources.has(url) ? url : isOurs && resolved[name]
    return known ? { url: known, shortCircuit: true } : next(name, context)
  },
  load: (url, context, next) =>
    sources.has(url)
      ? { format: 'module', source: sources.get(url), shortCircuit: true }
      : next(url, context),
})
await import(${JSON.stringify(MAIN)})
`,
)
