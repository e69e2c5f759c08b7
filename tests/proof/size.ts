import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { inject, TestRunner, vi } from 'vitest'
import type { RunnerTestCase } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** `npm run prove -- <name>` runs a proof at full size, with `--small` a small version of it. */
    proof: 'small' | 'full'
    /** A revision to run the same proof on for comparison; empty for none. */
    control: string
  }
  interface TaskMeta {
    figures?: string[]
  }
}

type Figures = Record<string, string | number>

export const isFullSize = inject('proof') === 'full'

/** The first number at the small size, the second at full size. */
export function smallOrFull(small: number, full: number): number {
  return isFullSize ? full : small
}

/** A limit of a response time. The gate runs beside other work, so there it only shows that nothing hangs. */
export function timeLimit(full: number): number {
  return smallOrFull(5 * full, full)
}

const root = resolve(import.meta.dirname, '../..')

/**
 * Options of a test that the gate skips. The reason says what the gate lacks, or names the test files that assert
 * the same on a small scale; these must exist.
 */
export function fullSizeOnly(reason: string): { skip: boolean } {
  const missing = (reason.match(/[\w/-]+\.test\.ts/g) ?? []).filter(
    (file) => !existsSync(resolve(root, file)),
  )
  if (missing.length > 0) throw new Error(`no such test: ${missing.join(', ')}`)
  return { skip: !isFullSize }
}

vi.setConfig({ testTimeout: smallOrFull(300_000, 3_600_000) })

/** Adds a Markdown table to the results of the test. */
export function markdownTable(rows: readonly (readonly (string | number)[])[]): void {
  const [head = [], ...body] = rows
  const lines = [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`)
  const { meta } = TestRunner.getCurrentTest<RunnerTestCase>()
  meta.figures = [...(meta.figures ?? []), ...lines]
}

/** Prints measurements; call it before the assertions, so that a failed proof shows them too. */
export function figures(title: string, measured: Figures): void {
  const parts = Object.entries(measured).map(([name, value]) => `${name} ${value}`)
  const line = `${title} (${inject('proof')} size): ${parts.join(', ')}`
  const { meta } = TestRunner.getCurrentTest<RunnerTestCase>()
  meta.figures = [...(meta.figures ?? []), line]
  process.stdout.write(`${line}\n`)
}
