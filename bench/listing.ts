import { setInterval } from 'node:timers'
import { parseArgs } from 'node:util'
import { checkAuth } from '@guidon/contract/auth'
import { listUsers, LISTING_MAX } from '@guidon/contract/manage-users'
import { addAccounts, startAccountsStack } from './accounts-stack.ts'
import { client, openLoop } from './client.ts'
import { fixed, loadFigure, printFigures, verdict, VOID } from './figures.ts'
import { helper } from './helper-process.ts'
import type { ListingRead, ListingTask } from './listing-read.ts'
import { median, percentile } from './stats.ts'

/** Streams the whole listing of accounts repeatedly while other clients call check-auth. */

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: String(LISTING_MAX) },
    times: { type: 'string', default: '20' },
  },
})
const times = Number(values.times)
const WARM_UP = 3
const WARM_UP_MS = 8_000
const PROBES_A_SECOND = 100
const PROBE_CONNECTIONS = 20
const MAX_P99_MS = 20
const MAX_GROWTH_MB = 32
const MEMORY_POLL_MS = 50
/** Measures check-auth without a listing. */
const ALONE_MS = 10_000

const stack = await startAccountsStack()
const figures: string[] = []
let good = true
try {
  // The staff account is one of them.
  await addAccounts(stack.sql, Number(values.accounts) - 1)
  figures.push(await copyBaseline())
  const task = { url: stack.base + listUsers.path, cookie: stack.cookie, times }
  // Every browser accepts gzip, so the second measurement is for information only.
  good = await measure({ ...task, encoding: 'gzip' })
  await measure({ ...task, encoding: 'identity' })
} finally {
  await stack.close()
}
printFigures([...figures, loadFigure()])
process.exitCode = good ? 0 : 1

async function measure(task: ListingTask): Promise<boolean> {
  const reader = helper<ListingTask, ListingRead[]>('listing-read.ts')
  const { send, close } = client(stack.base, stack.origin, PROBE_CONNECTIONS)
  const probe = () =>
    send({ method: 'GET', path: checkAuth.path, cookie: stack.cookie }).then(
      ({ status, ms }) => (status === 200 ? ms : Infinity),
      () => Infinity,
    )
  // Warms up the code, and lets the heap grow to its size under load.
  await openLoop({ perSecond: 10 * PROBES_A_SECOND, ms: WARM_UP_MS }, probe)
  const alone = await openLoop({ perSecond: PROBES_A_SECOND, ms: ALONE_MS }, probe)
  const warm = await reader.run({ ...task, times: WARM_UP })
  const before = stack.apiMegabytes()
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, stack.apiMegabytes())), MEMORY_POLL_MS)
  const ms = warm.reduce((sum, { lastMs }) => sum + lastMs, 0) * (task.times / WARM_UP)
  const reading = reader.run(task)
  const probes = await openLoop({ perSecond: PROBES_A_SECOND, ms }, probe)
  const reads = await reading
  clearInterval(timer)
  reader.stop()
  close()

  const p99 = percentile(probes, 0.99)
  const p99Alone = percentile(alone, 0.99)
  const validity = p99Alone > MAX_P99_MS / 2 ? VOID : ''
  const growth = peak - before
  const of = (name: keyof ListingRead) => median(reads.map((read) => read[name]))
  figures.push(
    `${task.encoding}: ${values.accounts} accounts, first byte after ${fixed(of('firstMs'), 0)} ms, last after ` +
      `${fixed(of('lastMs'), 0)} ms (medians of ${task.times}, slowest ` +
      `${fixed(Math.max(...reads.map(({ lastMs }) => lastMs)), 0)} ms), ${fixed(of('bytes') / 1e6, 1)} MB`,
    `${task.encoding}: check-auth meanwhile p50 ${fixed(median(probes))} ms, p99 ${fixed(p99)} ms of ` +
      `${probes.length}, goal under ${MAX_P99_MS} ms: ${verdict(p99 < MAX_P99_MS)}`,
    `${task.encoding}: check-auth alone p50 ${fixed(median(alone))} ms, p99 ${fixed(p99Alone)} ms${validity}`,
    `${task.encoding}: memory of the API ${fixed(before, 0)} MB before, peak ${fixed(peak, 0)} MB, ` +
      `goal growth under ${MAX_GROWTH_MB} MB: ${verdict(growth < MAX_GROWTH_MB)}`,
  )
  return p99 < MAX_P99_MS && growth < MAX_GROWTH_MB
}

/** The time in which PostgreSQL alone writes the same rows to /dev/null. */
async function copyBaseline(): Promise<string> {
  const taken: number[] = []
  for (let time = 0; time < 5; time += 1) {
    const started = performance.now()
    await stack.sql.query(
      `copy (select row_to_json(u) from (select id, email, first_name, last_name, role, is_active, phone,
         salesforce_id, box_folder_id, created_at from users order by created_at desc) as u)
       to '/dev/null'`,
    )
    taken.push(performance.now() - started)
  }
  return `COPY of the same rows to /dev/null: ${fixed(median(taken), 0)} ms`
}
