import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startHelper } from '../support/outside/helper-process.ts'
import type { LoopResult } from '../support/outside/load.ts'
import { median, shuffled } from '../support/outside/statistics.ts'
import { startApiStack } from './api-stack.ts'
import { builtApp } from './built-app.ts'
import { controlFigure, fixed, loadFigure, printFigures, ratioFigure, verdict } from './figures.ts'
import { startNginx } from './nginx.ts'
import type { StaticTask } from './static-load.ts'

/** The files of the first load, from the API and from one process of nginx: `apt-get install nginx-light`. */

const ROUNDS = 12
const LOOP = { concurrency: 16, warmUpMs: 500, ms: 3_000 }
const MIN_RATIO = 0.5
const CLOCK_TICKS_A_SECOND = 100

const dist = builtApp()
const html = readFileSync(join(dist, 'index.html'), 'utf8')
const paths = [...new Set(html.match(/\/assets\/[\w.-]+\.(?:js|css|woff2)(?=")/g))]

// The second one is the control.
const [nginx, again] = [await startNginx(dist), await startNginx(dist)]
const apiStack = await startApiStack({ env: { LOG_LEVEL: 'warn' } })
const { stack } = apiStack
const servers = {
  ours: { base: stack.urls.api[0]!, pid: stack.api[0]!.pid! },
  nginx,
  again,
}

/** CPU time of a process until now, in milliseconds. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
  return ((user! + system!) * 1000) / CLOCK_TICKS_A_SECOND
}

interface Measured {
  rate: number
  /** Of the server, for each response. */
  cpuMs: number
}
type Round = Record<keyof typeof servers, Measured>

async function measure({ base, pid }: { base: string; pid: number }): Promise<Measured> {
  const load = startHelper<StaticTask, LoopResult>(new URL('static-load.ts', import.meta.url))
  const before = cpuMs(pid)
  const { rate } = await load.run({ base, paths, loop: LOOP })
  load.stop()
  const seconds = (LOOP.warmUpMs + LOOP.ms) / 1000
  return { rate, cpuMs: (cpuMs(pid) - before) / (rate * seconds) }
}

const rounds: Round[] = []
try {
  for (let round = 0; round < ROUNDS; round += 1) {
    const measured: Partial<Round> = {}
    for (const name of shuffled(['ours', 'nginx', 'again'] as const)) {
      measured[name] = await measure(servers[name])
    }
    rounds.push(measured as Round)
    process.stderr.write('.')
  }
} finally {
  await Promise.all([nginx.close(), again.close(), apiStack.close()])
}

const medianOf = (name: keyof Round, figure: keyof Measured) =>
  median(rounds.map((round) => round[name][figure]))
const ratio = ratioFigure(rounds.map(({ ours, nginx: theirs }) => ours.rate / theirs.rate))
const control = controlFigure(rounds.map((round) => round.again.rate / round.nginx.rate))
const reached = ratio.low >= MIN_RATIO
const lineOf = (title: string, name: keyof Round) =>
  `${title}: ${fixed(medianOf(name, 'rate'), 0)} files a second, ` +
  `${fixed(medianOf(name, 'cpuMs'), 3)} ms of CPU each`

printFigures([
  `${paths.length} files of the first load in turn, compressed, medians of ${ROUNDS} rounds`,
  lineOf('API', 'ours'),
  lineOf('nginx', 'nginx'),
  control.text,
  `API against nginx: ${ratio.text}, goal at least ${MIN_RATIO} at the lower end: ${verdict(reached)}`,
  loadFigure(),
])
process.exitCode = reached && control.valid ? 0 : 1
