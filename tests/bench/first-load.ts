import { parseArgs } from 'node:util'
import { screens } from '@guidon/contract/screens'
import { median, shuffled } from '../support/outside/statistics.ts'
import { fixed, loadFigure, printFigures, verdict } from './figures.ts'
import { startControlPage } from './first-load-control.ts'
import { startFirstLoadStack } from './first-load-stack.ts'
import { visit, type Visit } from './first-load-visit.ts'

/**
 * The first visit of a phone, as Lighthouse simulates it, beside a small page of React and MUI alone. The screens of
 * later visits are fetched ahead while the page is idle, so the kilobytes contain them.
 */

const { values } = parseArgs({
  options: { times: { type: 'string', default: '5' }, only: { type: 'string' } },
})
const MAX_BLOCKED_MS = 200
const GOALS: Readonly<Record<string, { score: number; signedIn?: 'withCase' | 'newcomer' }>> = {
  [screens.signIn]: { score: 95 },
  [screens.signUp]: { score: 92 },
  [screens.home]: { score: 90, signedIn: 'withCase' },
  [screens.getStarted]: { score: 90, signedIn: 'newcomer' },
}
const CONTROL = 'control'
const paths = Object.keys(GOALS).filter((path) => !values.only || path === values.only)

const stack = await startFirstLoadStack()
const control = await startControlPage()
const visits = new Map<string, Visit[]>([CONTROL, ...paths].map((name) => [name, []]))
try {
  for (let time = 0; time < Number(values.times); time += 1) {
    for (const [name, measured] of shuffled([...visits])) {
      const url = name === CONTROL ? control.url : stack.origin + name
      const signedIn = GOALS[name]?.signedIn
      measured.push(await visit(url, signedIn && stack.cookies[signedIn]))
    }
    process.stderr.write('.')
  }
} finally {
  control.close()
  await stack.close()
}

const medianOf = (name: string, figure: keyof Visit) =>
  median(visits.get(name)!.map((one) => one[figure]))
const controlBlockedMs = medianOf(CONTROL, 'blockedMs')
const maxBlockedMs = Math.max(MAX_BLOCKED_MS, controlBlockedMs)
let allReached = true

function lineOf(name: string): string {
  const figure = (one: keyof Visit, digits = 0) => fixed(medianOf(name, one), digits)
  const scores = visits.get(name)!.map(({ score }) => fixed(score, 0))
  const goal = GOALS[name]
  const reached =
    !goal || (medianOf(name, 'score') >= goal.score && medianOf(name, 'blockedMs') <= maxBlockedMs)
  allReached = allReached && reached
  return (
    `${name}: score ${figure('score')} (${scores.join(' ')}), blocked ${figure('blockedMs')} ms, ` +
    `largest paint ${figure('largestPaintMs')} ms, layout shift ${figure('layoutShift', 3)}, ` +
    `${figure('kilobytes')} kB, scripts ${figure('scriptKilobytes')} kB` +
    (goal
      ? `; goal ${goal.score} and at most ${fixed(maxBlockedMs, 0)} ms: ${verdict(reached)}`
      : '')
  )
}

printFigures([
  `first load on a phone (Lighthouse, mobile), medians of ${values.times}`,
  ...[CONTROL, ...paths].map(lineOf),
  loadFigure(),
])
process.exitCode = allReached ? 0 : 1
