import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMANDS, isKnown } from '../prove/select.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const find = (...patterns: string[]) => globSync(patterns, { cwd: root }).toSorted()

const pages = find(
  'docs/operate/*.md',
  'docs/decisions/*.md',
  'docs/security/*.md',
  'salesforce/README.md',
  'SECURITY.md',
)
const quoted = (pattern: RegExp) =>
  pages.flatMap((page) =>
    [...read(page).matchAll(pattern)].map(([, text = '']) => ({ page, text })),
  )

/** The anchor that GitHub gives to a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path ? join(dirname(page), path) : page
  if (!existsSync(join(root, target))) return true
  return anchor !== undefined && !anchorsOf(target).includes(anchor)
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** Strings with fewer fixed characters are ignored: `${one} ${other}`, for example, would match any text. */
const MIN_FIXED_CHARACTERS = 5

/** Every string of the sources as a pattern, in which `${…}` stands for any text. */
function stringsOf(files: string[]): RegExp[] {
  const literals = files.flatMap((file) => read(file).match(/'[^'\n]*'|`[^`]+`|"[^"\n]*"/g) ?? [])
  return literals
    .map((literal) => literal.slice(1, -1).split(/\$\{[^}]*\}|\$\w+/))
    .filter((parts) => parts.join('').length >= MIN_FIXED_CHARACTERS)
    .map((parts) => new RegExp(`^${parts.map((part) => escaped(part)).join('.+')}$`))
}

describe('the pages for operators and the decisions', () => {
  it('link only to pages and headings that exist', () => {
    const links = quoted(/\]\((?!https?:)([^)\s]+)\)/g)
    expect(links.length).toBeGreaterThan(50)
    expect(links.filter(({ page, text }) => isBroken(page, text))).toEqual([])
  })

  it('name only files that exist', () => {
    const paths = quoted(/`((?:\.ci|api|brand|contract|deploy|scripts|tests|web)\/[\w./-]+)`/g)
    const createdByOperator = /^deploy\/(?:\.env|secrets)/
    const missing = paths.filter(
      ({ text }) => !createdByOperator.test(text) && !existsSync(join(root, text)),
    )
    expect(paths.length).toBeGreaterThan(30)
    expect(missing).toEqual([])
  })

  it('name only commands that exist', () => {
    const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts)
    expect(quoted(/npm run ([\w:]+)/g).filter(({ text }) => !scripts.includes(text))).toEqual([])
    const proofs = quoted(/npm run prove -- (?:--\w+ )*([\w-]+)/g)
    expect(proofs.filter(({ text }) => !COMMANDS.has(text) && !isKnown(text))).toEqual([])
    const benches = quoted(/npm run bench -- ([\w-]+)/g)
    expect(
      benches.filter(({ text }) => !find('tests/bench/*').includes(`tests/bench/${text}.ts`)),
    ).toEqual([])
    // A test of the API keeps this page equal to the commands of the features.
    const page = read('docs/operate/admin.md')
    const adminCommands = quoted(/npm run admin -- ([a-z-]+(?: (?:status|send-again|problems))?)/g)
    expect(adminCommands.filter(({ text }) => !page.includes(`## \`${text}\``))).toEqual([])
  })

  it('name only charts that the dashboard has', () => {
    const titles = [...read('deploy/monitoring/dashboard.json').matchAll(/"title": "([^"]+)"/g)]
    const charts = [...read('docs/operate/runbooks.md').matchAll(/(?:look at|compare) _([^_]+)_/gi)]
    expect(charts.length).toBeGreaterThan(8)
    const known = new Set(titles.map(([, title]) => title))
    expect(charts.map(([, chart]) => chart).filter((chart) => !known.has(chart))).toEqual([])
  })

  it('quote log messages and command output as the code has them', () => {
    const strings = stringsOf([
      ...find('api/src/**/*.ts').filter((file) => !file.endsWith('.test.ts')),
      ...find('deploy/change-key', 'deploy/make-secrets', 'deploy/postgres/{backup,restore}'),
    ])
    const texts = [...quoted(/"msg":"([^"]+)"/g), ...quoted(/You should see:\s+`([^`]+)`/g)]
    expect(texts.length).toBeGreaterThan(20)
    expect(texts.filter(({ text }) => !strings.some((pattern) => pattern.test(text)))).toEqual([])
  })
})

describe('the decisions', () => {
  const decisions = find('docs/decisions/0*.md')

  it.each(decisions)('%s has the sections of a decision', (page) => {
    const [, number] = /(\d{4})-/.exec(page)!
    expect(read(page)).toMatch(new RegExp(`^# ${Number(number)}\\. `))
    const sections = [...read(page).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    expect(sections).toEqual(['Status', 'Date', 'Context', 'Decision', 'Consequences'])
  })

  it('are all in the index, with their titles', () => {
    const index = read('docs/decisions/README.md')
    for (const page of decisions) {
      const [, title = ''] = /^# \d+\. (.+)$/m.exec(read(page))!
      expect(index).toContain(`[${title}](${page.split('/').at(-1)})`)
    }
  })
})
