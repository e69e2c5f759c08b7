import type { Slice } from './client.ts'
import { controlFigure, fixed, ratioFigure, verdict } from './figures.ts'
import type { Round, Side } from './read-rounds.ts'
import { READ_NAMES } from './reads.ts'
import type { ReadName } from './reads.ts'
import { median } from './stats.ts'

const MIN_RATIO = 0.8

/** The rate and the times of each read, compared with the baselines. */
export function readFigures(rounds: readonly Round[]) {
  const each = READ_NAMES.map((name) => readFigure(rounds, name))
  const controls = (['sql', 'http'] as const).map((side) => {
    const { sound, text } = controlFigure(
      rounds.map((round) => acrossReads((name) => ratio(round, name, `${side}Again`, side))),
    )
    return { sound, text: `${side}: ${text}` }
  })
  const acrossRounds = (side: Side, base: Side) =>
    ratioFigure(rounds.map((round) => acrossReads((name) => ratio(round, name, side, base)))).text
  return {
    reached: each.every(({ reached }) => reached),
    sound: controls.every(({ sound }) => sound),
    lines: [
      ...controls.map(({ text }) => text),
      ...each.map(({ line }) => line),
      `all five: against a minimal server ${acrossRounds('ours', 'http')}, against SQL alone ` +
        `${acrossRounds('ours', 'sql')}; a minimal server against SQL alone ${acrossRounds('http', 'sql')}`,
    ],
  }
}

function readFigure(rounds: readonly Round[], name: ReadName) {
  const middle = (side: Side, of: keyof Slice) =>
    median(rounds.map((round) => round[name][side][of]))
  const over = (side: Side) => ratioFigure(rounds.map((round) => ratio(round, name, 'ours', side)))
  const [sql, http] = [over('sql'), over('http')]
  // The minimal server does the same work; SQL alone sends no response.
  const reached = http.low >= MIN_RATIO
  const rates = (['ours', 'http', 'sql'] as const).map((side) => fixed(middle(side, 'rate'), 0))
  const line =
    `${name}: ${rates[0]} a second, p50 ${fixed(middle('ours', 'p50'))} ms, ` +
    `p95 ${fixed(middle('ours', 'p95'))} ms; minimal server ${rates[1]}, ratio ${http.text}, ` +
    `goal at least ${MIN_RATIO} at the lower end: ${verdict(reached)}; ` +
    `SQL alone ${rates[2]}, ratio ${sql.text}`
  return { reached, line }
}

function ratio(round: Round, name: ReadName, side: Side, base: Side): number {
  return round[name][side].rate / round[name][base].rate
}

/** The geometric mean, because these are ratios. */
function acrossReads(of: (name: ReadName) => number): number {
  const product = READ_NAMES.reduce((result, name) => result * of(name), 1)
  return product ** (1 / READ_NAMES.length)
}
