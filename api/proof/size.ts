import { inject, TestRunner, vi } from 'vitest'
import type { RunnerTestCase } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** A proof runs small in the gate, and at its whole size when asked for by its name. */
    proof: 'gate' | 'full'
    /** A revision that a proof also tries, to compare with; empty for none. */
    control: string
  }
  interface TaskMeta {
    figures?: string[]
  }
}

export type Figures = Record<string, string | number>

/** How many: what the gate can afford, or what the figure is promised at. */
export function size(gate: number, full: number): number {
  return inject('proof') === 'full' ? full : gate
}

vi.setConfig({ testTimeout: size(120_000, 3_600_000) })

/** Says what was measured, before it is judged: a missed goal is told with its figures. */
export function figures(title: string, measured: Figures): void {
  const parts = Object.entries(measured).map(([name, value]) => `${name} ${value}`)
  const line = `${title} (${inject('proof')} size): ${parts.join(', ')}`
  const { meta } = TestRunner.getCurrentTest<RunnerTestCase>()
  meta.figures = [...(meta.figures ?? []), line]
  process.stdout.write(`${line}\n`)
}
