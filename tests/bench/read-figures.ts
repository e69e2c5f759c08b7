import type { LoopResult } from '../support/outside/load.ts'
import { median } from '../support/outside/statistics.ts'
import { controlFigure, fixed, ratioFigure, verdict } from './figures.ts'
import type { Round, Side } from './read-rounds.ts'
import { READ_NAMES } from './reads.ts'
import type { ReadName } from './reads.ts'

const MIN_RATIO = 0.8

/** The rate and the times of each read, compared with the baselines. */
export function readFigures(rounds: readonly Round[]) {
  const reads = READ_NAMES.map((name) => readFigure(rounds, name))
  const controls = (['sql', 'http'] as const).map((side) => {
    const { valid, text } = controlFigure(
      rounds.map((round) => meanOfReads((name) => ratio(round, name, `${side}Again`, side))),
    )
    return { valid, text: `${side}: ${text}` }
  })
  const overallRatio = (side: Side, base: Side) =>
    ratioFigure(rounds.map((round) => meanOfReads((name) => ratio(round, name, side, base)))).text
  return {
    reached: reads.every(({ reached }) => reached),
    valid: controls.every(({ valid }) => valid),
    lines: [
      ...controls.map(({ text }) => text),
      ...reads.map(({ line }) => line),
      `all ${READ_NAMES.length}: against a minimal server ${overallRatio('ours', 'http')}, against SQL alone ` +
        `${overallRatio('ours', 'sql')}; a minimal server against SQL alone ${overallRatio('http', 'sql')}`,
      ...pooledFigures(rounds),
    ],
  }
}

function readFigure(rounds: readonly Round[], name: ReadName) {
  const medianOf = (side: Side, field: keyof LoopResult) =>
    median(rounds.map((round) => round[name][side][field]))
  const ratioTo = (side: Side) =>
    ratioFigure(rounds.map((round) => ratio(round, name, 'ours', side)))
  const [sql, http] = [ratioTo('sql'), ratioTo('http')]
  // The goal is relative to the minimal server, which does the same work; SQL alone sends no response.
  const reached = http.low >= MIN_RATIO
  const rates = (['ours', 'http', 'sql'] as const).map((side) => fixed(medianOf(side, 'rate'), 0))
  const line =
    `${name}: ${rates[0]} a second, p50 ${fixed(medianOf('ours', 'p50'))} ms, ` +
    `p95 ${fixed(medianOf('ours', 'p95'))} ms; minimal server ${rates[1]}, ratio ${http.text}, ` +
    `goal at least ${MIN_RATIO} at the lower end: ${verdict(reached)}; ` +
    `SQL alone ${rates[2]}, ratio ${sql.text}`
  return { reached, line }
}

/** Ours through PgBouncer, if it was measured. */
function pooledFigures(rounds: readonly Round[]): string[] {
  const pooled = (round: Round, name: ReadName) => round[name].pooled?.rate ?? Number.NaN
  if (rounds.some((round) => READ_NAMES.some((name) => Number.isNaN(pooled(round, name)))))
    return []
  const ratios = rounds.map((round) =>
    meanOfReads((name) => pooled(round, name) / round[name].ours.rate),
  )
  const p95 = (side: 'ours' | 'pooled') =>
    median(rounds.flatMap((round) => READ_NAMES.map((name) => round[name][side]!.p95)))
  return [
    `through PgBouncer: ratio ${ratioFigure(ratios).text} of the rate of direct connections, ` +
      `p95 ${fixed(p95('pooled'))} ms instead of ${fixed(p95('ours'))} ms`,
  ]
}

function ratio(round: Round, name: ReadName, side: Side, base: Side): number {
  return round[name][side].rate / round[name][base].rate
}

/** The geometric mean, because these are ratios. */
function meanOfReads(ratioOfRead: (name: ReadName) => number): number {
  const product = READ_NAMES.reduce((result, name) => result * ratioOfRead(name), 1)
  return product ** (1 / READ_NAMES.length)
}
