import { loadavg } from 'node:os'
import { median, medianInterval } from '../support/outside/statistics.ts'

const MAX_CONTROL_DEVIATION = 0.1

export const VOID = ': the run is VOID, the machine was too busy'

export const fixed = (value: number, digits = 2) => value.toFixed(digits)

export const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED')

/** The median of the rounds' ratios, with its 95 % confidence interval. */
export function ratioFigure(ratios: readonly number[]) {
  const { low, high } = medianInterval(ratios)
  return { low, high, text: `${fixed(median(ratios))} (${fixed(low)} to ${fixed(high)})` }
}

/** Compares the baseline with itself. A ratio other than 1 shows how much other load disturbs the run. */
export function controlFigure(ratios: readonly number[]) {
  const { low, high, text } = ratioFigure(ratios)
  const isCentered = low <= 1 && high >= 1
  const isNarrow = low >= 1 - MAX_CONTROL_DEVIATION && high <= 1 + MAX_CONTROL_DEVIATION
  const valid = isCentered && isNarrow
  return { valid, text: `baseline against itself: ${text}${valid ? '' : VOID}` }
}

export function loadFigure(): string {
  const loads = loadavg().map((load) => fixed(load))
  return `load of the machine at the end: ${loads.join(' ')}`
}

/** Prints a step, or the figures of a part of the run, at once. The result follows at the end with `printFigures`. */
export function report(text: string): void {
  process.stderr.write(`${fixed(performance.now() / 1000, 0).padStart(4)} s  ${text}\n`)
}

export function printFigures(lines: readonly string[]): void {
  process.stdout.write(`\n${lines.join('\n')}\n`)
}
