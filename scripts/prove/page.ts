import type { Headline } from '../../tests/proof/figures.ts'
import type { Proof } from './proofs.ts'
import type { Run } from './run.ts'

/** The only store of results. */
export const PAGE = 'docs/PROOF.md'

/** The cells of a proof's last run at full size, as the page has them. */
export interface Row {
  figures: string
  /** Day of the start. */
  date: string
  revision: string
  /** `passed`, or the title of a failed test. */
  result: string
}

const HEAD = `# Proofs

A proof is a test that measures one property under load, faults or attacks (\`tests/proof/\`). This page has the last
result of each one at full size. \`npm run prove\` writes it and reads it again, to know what has passed; do not edit it.
_Row_ numbers the properties that must be proven; a proof without a number shows something else. _Revision_ is the last
commit that changed the product itself.
`

const COLUMNS = ['Row', 'Proof', 'What it shows', 'Figures', 'Date', 'Revision', 'Result']
const PASSED = 'passed'
const FIGURES_MAX = 4
const TITLE_MAX = 80

const escaped = (text: string) => text.replaceAll('|', String.raw`\|`).replaceAll('<', '&lt;')
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const cellsOf = (text: string) =>
  text
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())

/** All of an integer, and three digits of a fraction. */
const NUMBER = new Intl.NumberFormat('en-US', {
  maximumSignificantDigits: 3,
  maximumFractionDigits: 1,
  roundingPriority: 'morePrecision',
})

function combined(headlines: readonly Headline[]): Map<string, number> {
  const values = new Map<string, number>()
  for (const { name, value, combine } of headlines) {
    const before = values.get(name)
    if (before === undefined) values.set(name, value)
    else values.set(name, combine === 'sum' ? before + value : Math.max(before, value))
  }
  if (values.size > FIGURES_MAX) {
    throw new Error(`More than ${FIGURES_MAX} figures: ${[...values.keys()].join(', ')}`)
  }
  return values
}

function outcomeOf({ passed, tests }: Run): string {
  if (passed) return PASSED
  const [first, ...others] = tests.filter(({ status }) => status === 'failed')
  if (!first) return '**failed**: no test has run'
  const { title } = first
  const shown = title.length > TITLE_MAX ? `${title.slice(0, TITLE_MAX)}…` : title
  return `**failed**: ${escaped(shown)}${others.length > 0 ? ` and ${others.length} more` : ''}`
}

export function rowOf(run: Run, started: Date, revision: string): Row {
  const figures = [...combined(run.tests.flatMap(({ headlines }) => headlines))]
  return {
    figures: figures.map(([name, value]) => escaped(`${name} ${NUMBER.format(value)}`)).join('; '),
    date: started.toISOString().slice(0, 10),
    revision: revision.slice(0, 10),
    result: outcomeOf(run),
  }
}

export function hasPassed(row: Row | undefined, revision: string): boolean {
  return row?.result === PASSED && revision.startsWith(row.revision)
}

/** The rows of proofs that have run, by name. */
export function rowsOf(page: string): Map<string, Row> {
  const rows = new Map<string, Row>()
  for (const text of page.split('\n')) {
    const [, name = '', , figures = '', date = '', revision = '', result = ''] = cellsOf(text)
    if (!name.startsWith('`') || revision === '') continue
    rows.set(name.slice(1, -1), { figures, date, revision: revision.slice(1, -1), result })
  }
  return rows
}

/** The page in the order of the numbers; proofs without one at the end. */
export function pageOf(proofs: readonly Proof[], rows: ReadonlyMap<string, Row>): string {
  const firstNumber = (proof: Proof) => proof.rows[0] ?? Infinity
  const ordered = proofs.toSorted(
    (a, b) => firstNumber(a) - firstNumber(b) || a.name.localeCompare(b.name),
  )
  const lines = ordered.map(({ name, rows: numbers, shows }) => {
    const row = rows.get(name)
    const measured = row
      ? [row.figures, row.date, `\`${row.revision}\``, row.result]
      : ['', '', '', 'not run yet']
    return line([numbers.join(', '), `\`${name}\``, shows, ...measured])
  })
  return `${HEAD}\n${[line(COLUMNS), line(COLUMNS.map(() => '---')), ...lines].join('\n')}\n`
}
