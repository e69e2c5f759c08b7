import { inject, TestRunner } from 'vitest'
import type { RunnerTestCase } from 'vitest'

/** A figure in the proof's row of `docs/PROOF.md`, and how it is combined if several tests of the proof name it. */
export interface Headline {
  name: string
  value: number
  combine: 'sum' | 'max'
}

declare module 'vitest' {
  interface TaskMeta {
    figures?: string[]
    headlines?: Headline[]
  }
}

const metaOfTest = () => TestRunner.getCurrentTest<RunnerTestCase>().meta

function addLines(lines: readonly string[]): void {
  const meta = metaOfTest()
  meta.figures = [...(meta.figures ?? []), ...lines]
}

/** Adds a Markdown table to the results of the test. */
export function markdownTable(rows: readonly (readonly (string | number)[])[]): void {
  const [head = [], ...body] = rows
  addLines([head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`))
}

/** Prints measurements; call it before the assertions, so that a failed proof shows them too. */
export function figures(title: string, measured: Record<string, string | number>): void {
  const parts = Object.entries(measured).map(([name, value]) => `${name} ${value}`)
  const line = `${title} (${inject('proof')} size): ${parts.join(', ')}`
  addLines([line])
  process.stdout.write(`${line}\n`)
}

const addHeadlines =
  (combine: Headline['combine']) =>
  (measured: Readonly<Record<string, number>>): void => {
    const meta = metaOfTest()
    const added = Object.entries(measured).map(([name, value]) => ({ name, value, combine }))
    meta.headlines = [...(meta.headlines ?? []), ...added]
  }

/**
 * The figures of the proof's row in `docs/PROOF.md`, at most four of all its tests together. Call it before the
 * assertions. If several tests name a figure, `sum` adds it up, and `max` keeps the largest.
 */
export const headline = { sum: addHeadlines('sum'), max: addHeadlines('max') }
