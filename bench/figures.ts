import { loadavg } from 'node:os'
import { median, medianInterval } from './stats.ts'

const WIDEST_CONTROL = 0.1

export const fixed = (value: number, digits = 2) => value.toFixed(digits)

export const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED')

/** The median of ratios that were each taken within one round, and where it certainly lies. */
export function ratioFigure(ratios: readonly number[]) {
  const { low, high } = medianInterval(ratios)
  return { low, high, text: `${fixed(median(ratios))} (${fixed(low)} to ${fixed(high)})` }
}

/** The same work against itself: whatever differs from 1 is the machine's restlessness. */
export function controlFigure(ratios: readonly number[]) {
  const { low, high, text } = ratioFigure(ratios)
  const sound = low <= 1 && high >= 1 && low >= 1 - WIDEST_CONTROL && high <= 1 + WIDEST_CONTROL
  const blame = sound ? '' : ': the run is VOID, the machine was too restless'
  return { sound, text: `bare against bare: ${text}${blame}` }
}

export function loadFigure(): string {
  const loads = loadavg().map((load) => fixed(load))
  return `load of the machine at the end: ${loads.join(' ')}`
}

export function printFigures(lines: readonly string[]): void {
  process.stdout.write(`\n${lines.join('\n')}\n`)
}
