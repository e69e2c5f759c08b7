import { setInterval } from 'node:timers'
import { parseArgs } from 'node:util'
import { checkAuth } from '@guidon/contract/auth'
import { listUsers, LISTING_MAX } from '@guidon/contract/manage-users'
import { startHelper } from '../support/outside/helper-process.ts'
import { httpClient } from '../support/outside/http-client.ts'
import { openLoop } from '../support/outside/load.ts'
import { median, percentile } from '../support/outside/statistics.ts'
import { startAccountsStack } from './accounts-stack.ts'
import { fixed, loadFigure, printFigures, report, verdict, VOID } from './figures.ts'
import type { ListingRead, ListingTask } from './listing-read.ts'

/** Streams the whole listing of accounts repeatedly while other clients call check-auth. */

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: String(LISTING_MAX) },
    times: { type: 'string', default: '20' },
  },
})
const times = Number(values.times)
const WARM_UP_READS = 3
const WARM_UP_MS = 8_000
const PROBES_A_SECOND = 100
const PROBE_CONNECTIONS = 20
const MAX_P99_MS = 20
const MAX_GROWTH_MB = 32
const MEMORY_POLL_MS = 50
/** How long check-auth is measured without a listing. */
const ALONE_MS = 10_000

const stack = await startAccountsStack(Number(values.accounts))
const figures: string[] = []
const add = (figure: string) => {
  report(figure)
  figures.push(figure)
}
let reached = true
try {
  add(await copyBaseline())
  const task = { url: stack.base + listUsers.path, cookie: stack.cookie, times }
  // Every browser accepts gzip, so the second measurement is for information only.
  reached = await measure({ ...task, encoding: 'gzip' })
  await measure({ ...task, encoding: 'identity' })
} finally {
  await stack.close()
}
printFigures([...figures, loadFigure()])
process.exitCode = reached ? 0 : 1

async function measure(task: ListingTask): Promise<boolean> {
  const reader = startHelper<ListingTask, ListingRead[]>(
    new URL('listing-read.ts', import.meta.url),
  )
  const { send, close } = httpClient(stack.base, stack.origin, PROBE_CONNECTIONS)
  const probe = () =>
    send({ method: 'GET', path: checkAuth.path, cookie: stack.cookie }).then(
      ({ status, ms }) => (status === 200 ? ms : Infinity),
      () => Infinity,
    )
  // Warms up the code, and lets the heap grow to its size under load.
  await openLoop({ perSecond: 10 * PROBES_A_SECOND, ms: WARM_UP_MS }, probe)
  const probesAlone = await openLoop({ perSecond: PROBES_A_SECOND, ms: ALONE_MS }, probe)
  const p99Alone = percentile(probesAlone, 0.99)
  const validity = p99Alone > MAX_P99_MS / 2 ? VOID : ''
  add(
    `${task.encoding}: check-auth alone p50 ${fixed(median(probesAlone))} ms, p99 ${fixed(p99Alone)} ms${validity}`,
  )
  const warmUpReads = await reader.run({ ...task, times: WARM_UP_READS })
  const memoryBefore = stack.apiMegabytes()
  let memoryPeak = memoryBefore
  const timer = setInterval(
    () => (memoryPeak = Math.max(memoryPeak, stack.apiMegabytes())),
    MEMORY_POLL_MS,
  )
  const ms = warmUpReads.reduce((sum, { lastMs }) => sum + lastMs, 0) * (task.times / WARM_UP_READS)
  const reading = reader.run(task)
  const probes = await openLoop({ perSecond: PROBES_A_SECOND, ms }, probe)
  const reads = await reading
  clearInterval(timer)
  reader.stop()
  close()

  const p99 = percentile(probes, 0.99)
  const growth = memoryPeak - memoryBefore
  const medianOf = (name: keyof ListingRead) => median(reads.map((read) => read[name]))
  add(
    `${task.encoding}: ${values.accounts} accounts, first byte after ${fixed(medianOf('firstMs'), 0)} ms, last after ` +
      `${fixed(medianOf('lastMs'), 0)} ms (medians of ${task.times}, slowest ` +
      `${fixed(Math.max(...reads.map(({ lastMs }) => lastMs)), 0)} ms), ${fixed(medianOf('bytes') / 1e6, 1)} MB`,
  )
  add(
    `${task.encoding}: check-auth meanwhile p50 ${fixed(median(probes))} ms, p99 ${fixed(p99)} ms of ` +
      `${probes.length}, goal under ${MAX_P99_MS} ms: ${verdict(p99 < MAX_P99_MS)}`,
  )
  add(
    `${task.encoding}: memory of the API ${fixed(memoryBefore, 0)} MB before, peak ${fixed(memoryPeak, 0)} MB, ` +
      `goal growth under ${MAX_GROWTH_MB} MB: ${verdict(growth < MAX_GROWTH_MB)}`,
  )
  return p99 < MAX_P99_MS && growth < MAX_GROWTH_MB
}

/** Measures how long PostgreSQL alone takes to write the same rows to /dev/null. */
async function copyBaseline(): Promise<string> {
  const durations: number[] = []
  for (let time = 0; time < 5; time += 1) {
    const started = performance.now()
    await stack.sql.query(
      `copy (select row_to_json(u) from (select id, email, first_name, last_name, role, is_active, phone,
         (select contact_id from links where user_id = users.id and state = 'live'), box_folder_id, created_at from users order by created_at desc) as u)
       to '/dev/null'`,
    )
    durations.push(performance.now() - started)
  }
  return `COPY of the same rows to /dev/null: ${fixed(median(durations), 0)} ms`
}
