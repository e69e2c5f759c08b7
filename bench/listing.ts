import { setInterval } from 'node:timers'
import { parseArgs } from 'node:util'
import { checkAuth } from '@guidon/contract/auth'
import { listUsers, LISTING_MAX } from '@guidon/contract/manage-users'
import { addAccounts, openAccountsHouse } from './accounts-house.ts'
import { client, openLoop } from './client.ts'
import { fixed, loadFigure, printFigures, verdict } from './figures.ts'
import { helper } from './helper-process.ts'
import type { ListingRead, ListingTask } from './listing-read.ts'
import { median, percentile } from './stats.ts'

/** All accounts of one listing, streamed again and again while others ask who they are. */

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
const MOST_P99_MS = 20
const MOST_GROWTH_MB = 32
const RSS_EVERY_MS = 50
/** For what the machine itself takes. */
const ALONE_MS = 10_000

const house = await openAccountsHouse()
const figures: string[] = []
let good = true
try {
  // One of the accounts is that of staff.
  await addAccounts(house.sql, Number(values.accounts) - 1)
  figures.push(await bareCopy())
  const task = { url: house.base + listUsers.path, cookie: house.cookie, times }
  // No browser asks for the second; so its figures are for information.
  good = await measure({ ...task, encoding: 'gzip' })
  await measure({ ...task, encoding: 'identity' })
} finally {
  await house.close()
}
printFigures([...figures, loadFigure()])
process.exitCode = good ? 0 : 1

async function measure(task: ListingTask): Promise<boolean> {
  const reader = helper<ListingTask, ListingRead[]>('listing-read.ts')
  const { send, close } = client(house.base, house.origin, PROBE_CONNECTIONS)
  const probe = () =>
    send({ method: 'GET', path: checkAuth.path, cookie: house.cookie }).then(
      ({ status, ms }) => (status === 200 ? ms : Infinity),
      () => Infinity,
    )
  // Until code is warm and the heap has the size that traffic alone gives it.
  await openLoop({ perSecond: 10 * PROBES_A_SECOND, ms: WARM_UP_MS }, probe)
  const alone = await openLoop({ perSecond: PROBES_A_SECOND, ms: ALONE_MS }, probe)
  const warm = await reader.run({ ...task, times: WARM_UP })
  const before = house.apiMegabytes()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, house.apiMegabytes())), RSS_EVERY_MS)
  const ms = warm.reduce((sum, { lastMs }) => sum + lastMs, 0) * (task.times / WARM_UP)
  const reading = reader.run(task)
  const probes = await openLoop({ perSecond: PROBES_A_SECOND, ms }, probe)
  const reads = await reading
  clearInterval(watch)
  reader.stop()
  close()

  const p99 = percentile(probes, 0.99)
  const p99Alone = percentile(alone, 0.99)
  const restless =
    p99Alone > MOST_P99_MS / 2 ? ': the run is VOID, the machine was too restless' : ''
  const growth = most - before
  const of = (name: keyof ListingRead) => median(reads.map((read) => read[name]))
  figures.push(
    `${task.encoding}: ${values.accounts} accounts, first byte after ${fixed(of('firstMs'), 0)} ms, last after ` +
      `${fixed(of('lastMs'), 0)} ms (medians of ${task.times}, slowest ` +
      `${fixed(Math.max(...reads.map(({ lastMs }) => lastMs)), 0)} ms), ${fixed(of('bytes') / 1e6, 1)} MB`,
    `${task.encoding}: check-auth beside it p50 ${fixed(median(probes))} ms, p99 ${fixed(p99)} ms of ` +
      `${probes.length}, goal under ${MOST_P99_MS} ms: ${verdict(p99 < MOST_P99_MS)}`,
    `${task.encoding}: check-auth alone p50 ${fixed(median(alone))} ms, p99 ${fixed(p99Alone)} ms${restless}`,
    `${task.encoding}: memory of the API ${fixed(before, 0)} MB before, at most ${fixed(most, 0)} MB, ` +
      `goal growth under ${MOST_GROWTH_MB} MB: ${verdict(growth < MOST_GROWTH_MB)}`,
  )
  return p99 < MOST_P99_MS && growth < MOST_GROWTH_MB
}

/** What PostgreSQL alone needs to write rows as wide, to nowhere. */
async function bareCopy(): Promise<string> {
  const taken: number[] = []
  for (let time = 0; time < 5; time += 1) {
    const started = performance.now()
    await house.sql.query(
      `copy (select row_to_json(u) from (select id, email, first_name, last_name, role, is_active, phone,
         salesforce_id, box_folder_id, created_at from users order by created_at desc) as u)
       to '/dev/null'`,
    )
    taken.push(performance.now() - started)
  }
  return `bare COPY of the same rows to nowhere: ${fixed(median(taken), 0)} ms`
}
