import { checkAuth, login } from '@guidon/contract/auth'
import { startHelper } from '../support/outside/helper-process.ts'
import { closedLoop, openLoop } from '../support/outside/load.ts'
import type { FloodResult, FloodTask } from '../support/outside/sign-in-flood-process.ts'
import { median, percentile, shuffled } from '../support/outside/statistics.ts'
import type { VerifyTask } from './baseline-verify.ts'
import {
  controlFigure,
  fixed,
  loadFigure,
  printFigures,
  ratioFigure,
  report,
  verdict,
} from './figures.ts'
import { startSignedInStack } from './signed-in-stack.ts'

const ACCOUNTS = 25_000
const ROUNDS = 12
const MEASUREMENT = { warmUpMs: 300, ms: 1_500 }
const CONCURRENCY = 16
/** A new process is slow until its code is compiled. */
const WARM_UP_MS = 4_000
const MIN_RATIO = 0.85

const FLOOD = { perSecond: 500, ms: 15_000 }
const PROBES = { perSecond: 100, ms: FLOOD.ms }
const MAX_P99_MS = 20

const stack = await startSignedInStack(ACCOUNTS)
const { emails, password, send } = stack
let nextAccount = 0

const signIn = async () => {
  const body = { email: emails[nextAccount++ % emails.length]!, password }
  return (await send({ method: 'POST', path: login.path, body })).status === 204
}

interface Round {
  ours: number
  baseline: number
  control: number
}

/** Starts new processes and measures in random order, so that disturbances affect all three equally. */
async function measureRound(): Promise<Round> {
  await stack.restart()
  const [baseline, control] = [0, 1].map(() =>
    startHelper<VerifyTask, number>(new URL('baseline-verify.ts', import.meta.url)),
  )
  const task = { passwordHash: stack.passwordHash, password, pepper: stack.pepper, ...MEASUREMENT }
  await closedLoop({ concurrency: CONCURRENCY, warmUpMs: 0, ms: WARM_UP_MS }, signIn)
  const result: Round = { ours: 0, baseline: 0, control: 0 }
  const measurements = {
    ours: async () => (await closedLoop({ concurrency: CONCURRENCY, ...MEASUREMENT }, signIn)).rate,
    baseline: () => baseline!.run(task),
    control: () => control!.run(task),
  }
  for (const name of shuffled(['ours', 'baseline', 'control'] as const)) {
    result[name] = await measurements[name]()
  }
  baseline!.stop()
  control!.stop()
  return result
}

async function checkAuthDuringFlood() {
  const flood = startHelper<FloodTask, FloodResult>(
    new URL('../support/outside/sign-in-flood-process.ts', import.meta.url),
  )
  const { base, origin, cookie } = stack
  const probe = () =>
    send({ method: 'GET', path: checkAuth.path, cookie }).catch(() => ({ status: 0, ms: Infinity }))
  // Warms up the connections and the code.
  await openLoop({ ...PROBES, ms: 1_000 }, probe)
  const flooded = flood.run({ base, origin, emails: emails.slice(nextAccount), ...FLOOD })
  const responses = await openLoop(PROBES, probe)
  const result = await flooded
  flood.stop()
  const failed = responses.filter(({ status }) => status !== 200).length
  return { times: responses.map(({ ms }) => ms), failed, flood: result }
}

const rounds: Round[] = []
let probes: Awaited<ReturnType<typeof checkAuthDuringFlood>>
try {
  for (let n = 1; n <= ROUNDS; n += 1) {
    const round = await measureRound()
    rounds.push(round)
    report(
      `round ${n} of ${ROUNDS}: ${fixed(round.ours, 1)} sign-ins a second, ${fixed(round.baseline, 1)} verifications, ` +
        `ratio ${fixed(round.ours / round.baseline)}`,
    )
  }
  report('check-auth during a flood of sign-ins')
  probes = await checkAuthDuringFlood()
} finally {
  await stack.close()
}

const ratio = ratioFigure(rounds.map(({ ours, baseline }) => ours / baseline))
const control = controlFigure(rounds.map(({ control: again, baseline }) => again / baseline))
const p99 = percentile(probes.times, 0.99)
const fast = ratio.low >= MIN_RATIO
const responsive = p99 < MAX_P99_MS && probes.failed === 0

printFigures([
  loadFigure(),
  `sign-ins a second: ${fixed(median(rounds.map(({ ours }) => ours)), 1)}, password verifications a second: ` +
    `${fixed(median(rounds.map(({ baseline }) => baseline)), 1)} (medians of ${ROUNDS} rounds)`,
  control.text,
  `sign-ins against verifications: ${ratio.text}, ` +
    `goal at least ${MIN_RATIO} at the lower end: ${verdict(fast)}`,
  `sent ${FLOOD.perSecond} sign-ins a second for ${FLOOD.ms / 1000} s, responses by status: ` +
    JSON.stringify(probes.flood.responses),
  `check-auth meanwhile: p50 ${fixed(median(probes.times))} ms, p99 ${fixed(p99)} ms, ` +
    `slowest ${fixed(Math.max(...probes.times))} ms, failed ${probes.failed} of ${probes.times.length}, ` +
    `goal p99 under ${MAX_P99_MS} ms: ${verdict(responsive)}`,
])
process.exitCode = fast && responsive && control.valid ? 0 : 1
