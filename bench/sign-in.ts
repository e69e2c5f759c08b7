import { checkAuth, login } from '@guidon/contract/auth'
import type { BareTask } from './bare-verify.ts'
import { closedLoop, openLoop } from './client.ts'
import { controlFigure, fixed, loadFigure, printFigures, ratioFigure, verdict } from './figures.ts'
import type { FloodResult, FloodTask } from './flood.ts'
import { helper } from './helper-process.ts'
import { openHouse } from './house.ts'
import { median, percentile, shuffled } from './stats.ts'

const ACCOUNTS = 25_000
const ROUNDS = 12
const SLICE = { warmUpMs: 300, ms: 1_500 }
const AT_ONCE = 16
/** A new process compiles its code while it runs; measured is one that has done so. */
const WARM_UP_MS = 4_000
const LEAST_RATIO = 0.9

const FLOOD = { perSecond: 500, ms: 15_000 }
const PROBES = { perSecond: 100, ms: FLOOD.ms }
const MOST_P99_MS = 20

const house = await openHouse(ACCOUNTS)
const { emails, password, send } = house
let next = 0

const signIn = async () => {
  const body = { email: emails[next++ % emails.length]!, password }
  return (await send({ method: 'POST', path: login.path, body })).status === 204
}

interface Round {
  ours: number
  bare: number
  control: number
}

/** Fresh processes, and the three in random order: what disturbs one disturbs the others as often. */
async function round(): Promise<Round> {
  await house.restart()
  const [one, other] = [0, 1].map(() => helper<BareTask, number>('bare-verify.ts'))
  const task = { stored: house.stored, password, pepper: house.pepper, ...SLICE }
  await closedLoop({ atOnce: AT_ONCE, warmUpMs: 0, ms: WARM_UP_MS }, signIn)
  const result: Round = { ours: 0, bare: 0, control: 0 }
  const slices = {
    ours: async () => (await closedLoop({ atOnce: AT_ONCE, ...SLICE }, signIn)).rate,
    bare: () => one!.run(task),
    control: () => other!.run(task),
  }
  for (const name of shuffled(['ours', 'bare', 'control'] as const)) {
    result[name] = await slices[name]()
  }
  one!.stop()
  other!.stop()
  return result
}

async function beside(): Promise<{ times: number[]; failed: number; flood: FloodResult }> {
  const flood = helper<FloodTask, FloodResult>('flood.ts')
  const { base, origin, cookie } = house
  const probe = () =>
    send({ method: 'GET', path: checkAuth.path, cookie }).catch(() => ({ status: 0, ms: Infinity }))
  // Nothing cold is measured: neither connections nor code.
  await openLoop({ ...PROBES, ms: 1_000 }, probe)
  const flooded = flood.run({ base, origin, emails: emails.slice(next), password, ...FLOOD })
  const answers = await openLoop(PROBES, probe)
  const result = await flooded
  flood.stop()
  const failed = answers.filter(({ status }) => status !== 200).length
  return { times: answers.map(({ ms }) => ms), failed, flood: result }
}

const rounds: Round[] = []
let other: Awaited<ReturnType<typeof beside>>
try {
  for (let n = 0; n < ROUNDS; n += 1) {
    rounds.push(await round())
    process.stderr.write('.')
  }
  other = await beside()
} finally {
  await house.close()
}

const ratio = ratioFigure(rounds.map(({ ours, bare }) => ours / bare))
const control = controlFigure(rounds.map(({ control: again, bare }) => again / bare))
const p99 = percentile(other.times, 0.99)
const fast = ratio.low >= LEAST_RATIO
const calm = p99 < MOST_P99_MS && other.failed === 0

printFigures([
  loadFigure(),
  `sign-ins a second: ${fixed(median(rounds.map(({ ours }) => ours)), 1)}, bare verifies a second: ` +
    `${fixed(median(rounds.map(({ bare }) => bare)), 1)} (medians of ${ROUNDS} rounds)`,
  control.text,
  `sign-ins over bare verifies: ${ratio.text}, ` +
    `goal at least ${LEAST_RATIO} at the lower end: ${verdict(fast)}`,
  `offered ${FLOOD.perSecond} sign-ins a second for ${FLOOD.ms / 1000} s, answers by status: ` +
    JSON.stringify(other.flood),
  `check-auth beside them: p50 ${fixed(median(other.times))} ms, p99 ${fixed(p99)} ms, ` +
    `slowest ${fixed(Math.max(...other.times))} ms, failed ${other.failed} of ${other.times.length}, ` +
    `goal p99 under ${MOST_P99_MS} ms: ${verdict(calm)}`,
])
process.exitCode = fast && calm && control.sound ? 0 : 1
