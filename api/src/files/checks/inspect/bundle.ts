import { readFileSync, readdirSync, writeSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/**
 * Bundles the inspection program into one JavaScript file on standard output. Stripping the types takes longer than
 * inspecting a typical file, so each process does it only once.
 */

const MAIN = import.meta.resolve('./main.ts')
const here = readdirSync(new URL('.', import.meta.url))
  .filter((name) => !name.endsWith('.test.ts'))
  .map((name) => import.meta.resolve(`./${name}`))
const modules = [
  ...here,
  import.meta.resolve('../bounded-run.ts'),
  import.meta.resolve('@guidon/contract/clean-jpeg'),
  import.meta.resolve('@guidon/contract/document-refusals'),
]
const sources = modules.map((url) => [
  url,
  stripTypeScriptTypes(readFileSync(new URL(url), 'utf8')),
])

writeSync(
  1,
  `import { registerHooks } from 'node:module'
const sources = new Map(${JSON.stringify(sources)})
registerHooks({
  load: (url, context, next) =>
    sources.has(url)
      ? { format: 'module', source: sources.get(url), shortCircuit: true }
      : next(url, context),
})
await import(${JSON.stringify(MAIN)})
`,
)
