import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { circlesIn, importsOf, runningUp } from './shape/imports.ts'

/**
 * Prints how large the repository is and how it hangs together. `npm run shape -- FOLDER` looks at another checkout, such
 * as that of an earlier revision.
 */

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'))
const SMALL_LINES = 30

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => /\.tsx?$/.test(file) && existsSync(join(root, file)))
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const linesOf = (file: string) => texts.get(file)!.split('\n').length - 1
const isTest = (file: string) => /\.test(-d)?\.tsx?$|\/test\//.test(file)
const product = files.filter((file) => /^(api|contract|web)\//.test(file) && !isTest(file))
const others = files.filter((file) => !product.includes(file))

const sumOf = (list: readonly string[]) => list.reduce((sum, file) => sum + linesOf(file), 0)
const figure = (name: string, value: number | string) =>
  console.log(
    `${name.padEnd(44)} ${typeof value === 'number' ? value.toLocaleString('en-US') : value}`,
  )
const size = (name: string, list: readonly string[]) =>
  figure(name, `${sumOf(list).toLocaleString('en-US')} lines in ${list.length} files`)

size('product (TypeScript, without tests)', product)
for (const workspace of ['api', 'contract', 'web']) {
  size(
    `  ${workspace}/`,
    product.filter((file) => file.startsWith(`${workspace}/`)),
  )
}
size('everything else (TypeScript)', others)
figure('  lines for each line of the product', (sumOf(others) / sumOf(product)).toFixed(2))

const imports = importsOf(product, (file) => texts.get(file)!)
const importers = new Map<string, number>()
for (const { to } of imports) importers.set(to, (importers.get(to) ?? 0) + 1)
const small = product.filter((file) => linesOf(file) < SMALL_LINES && importers.get(file) === 1)
figure(`files under ${SMALL_LINES} lines with one importer`, small.length)

const circles = circlesIn(imports)
figure('circles of imports', circles.length)
for (const circle of circles) console.log(`  ${circle.join(' → ')}`)

/** A folder below `src`, and a feature of its own. */
const roomOf = (file: string) =>
  /^\w+\/src\/(?:features\/[^/]+|[^/]+)(?=\/)/.exec(file)?.[0] ?? file.split('/')[0]!
const up = runningUp(imports, roomOf)
figure('imports that run up', up.length)
for (const { from, to } of up) console.log(`  ${from} → ${to}`)

const page = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8')
for (const [, name = '', text = ''] of page.matchAll(/^### Walk: (.+)\n([^#]*)/gm)) {
  const named = new Set(
    [...text.matchAll(/`((?:api|web|contract)\/[^`]+\.(?:tsx?|sql))`/g)].map(([, file]) => file!),
  )
  figure(`walk: ${name}`, `${named.size} files`)
  for (const file of named) if (!existsSync(join(root, file))) console.log(`  missing: ${file}`)
}

/** What the image gets from npm, without nested packages, which are counted themselves. */
const installed = execFileSync(
  'npm',
  ['ls', '--omit=dev', '--all', '--parseable', '-w', 'api', '-w', 'contract'],
  { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
)
  .split('\n')
  .filter((folder) => folder.includes('node_modules') && existsSync(folder))
figure('packages of npm in the image', new Set(installed).size)
const bytes = [...new Set(installed)].reduce((sum, folder) => {
  const inside = globSync('**/*', { cwd: folder, exclude: (name) => name === 'node_modules' })
  return sum + inside.reduce((total, file) => total + statSync(join(folder, file)).size, 0)
}, 0)
figure('  their size', `${Math.round(bytes / 1e6)} MB`)
