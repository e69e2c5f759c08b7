import type { Proof } from './proofs.ts'
import type { Result } from './results.ts'

const HEAD = `# Proofs

A proof is a test that measures one property under load, faults or attacks. This page has the latest result of each one
at full size. \`npm run prove -- all\` writes it, and \`npm run prove -- page\` writes it again from the stored results; do
not edit it. _Row_ numbers the properties that must be proven; a proof without a number shows something else.
`

const COLUMNS = 'Row,Proof,What it shows,Size,Figures,Date,Revision,Duration,Result'.split(',')

/** A result with more lines of figures has its own section. */
const MAX_LINES_IN_CELL = 2

const escaped = (text: string) => text.replaceAll('|', String.raw`\|`).replaceAll('<', '&lt;')
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

const linesOf = ({ tests }: Result) => tests.flatMap(({ figures }) => figures)
const needsSection = (lines: readonly string[]) =>
  lines.length > MAX_LINES_IN_CELL || lines.some((line) => line.startsWith('|'))

function figuresOf(result: Result): string {
  const lines = linesOf(result)
  if (needsSection(lines)) return `[${counted(lines.length, 'line')}](#${result.name})`
  return lines.map((line) => escaped(line)).join('<br>')
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`
}

function outcomeOf({ passed, tests }: Result): string {
  if (passed) return 'passed'
  const failures = tests.filter(({ status }) => status === 'failed')
  const titles = failures.map(({ title }) => escaped(title))
  return `**failed**: ${titles.join('; ') || 'no test has run'}`
}

function cellsOf(result: Result): string[] {
  const { tests, started, revision, seconds } = result
  const done = tests.filter(({ status }) => status === 'passed' || status === 'failed')
  return [
    `full, ${counted(done.length, 'test')}`,
    figuresOf(result),
    started.slice(0, 10),
    `\`${revision.slice(0, 10)}\``,
    duration(seconds),
    outcomeOf(result),
  ]
}

function sectionOf(result: Result): string {
  const lines = linesOf(result).map((line, at, all) => {
    if (!line.startsWith('|')) return `- ${escaped(line)}`
    // A table needs an empty line before it.
    return all[at - 1]?.startsWith('|') ? line : `\n${line}`
  })
  return `\n### ${result.name}\n\n${lines.join('\n').trimStart()}\n`
}

/** The page in the order of the rows; proofs without a row at the end. */
export function pageOf(proofs: readonly Proof[], results: ReadonlyMap<string, Result>): string {
  const firstRow = ({ rows }: Proof) => rows[0] ?? Infinity
  const ordered = proofs.toSorted(
    (a, b) => firstRow(a) - firstRow(b) || a.name.localeCompare(b.name),
  )
  const table = ordered.map(({ name, rows, shows }) => {
    const result = results.get(name)
    const measured = result ? cellsOf(result) : ['', '', '', '', '', 'not run yet']
    return row([rows.join(', '), `\`${name}\``, shows, ...measured])
  })
  const sections = ordered
    .map(({ name }) => results.get(name))
    .filter((result) => result !== undefined && needsSection(linesOf(result)))
    .map((result) => sectionOf(result!))
  return [
    `${HEAD}\n${[row(COLUMNS), row(COLUMNS.map(() => '---')), ...table].join('\n')}\n`,
    ...(sections.length > 0 ? ['\n## Figures\n', ...sections] : []),
  ].join('')
}
