import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { LISTING_MAX, SEARCH_DEBOUNCE_MS } from '@guidon/contract/manage-users'
import { homeOf } from '@guidon/contract/screens'
import { chromium } from '@playwright/test'
import { addAccounts, openAccountsHouse } from './accounts-house.ts'
import { fixed, loadFigure, printFigures, verdict } from './figures.ts'
import { median } from './stats.ts'

/** Manage Users with as many accounts as one listing holds, in Chromium, against the API itself. */

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: String(LISTING_MAX) },
    times: { type: 'string', default: '5' },
  },
})
const times = Number(values.times)
const all = `${Number(values.accounts).toLocaleString('en-US')} users`
const MOST_FIRST_MS = 3_000
const MOST_TASK_MS = 150
const MOST_HEAP_MB = 150
/** A page that did no more than this in this time is at rest. */
const QUIET_MS = 5
const QUIET_FOR_MS = 250
const MEGABYTE = 1024 * 1024

if (!existsSync(join(import.meta.dirname, '../web/dist/index.html'))) {
  throw new Error('There is no web app to look at yet: npm run build')
}
const house = await openAccountsHouse()
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})

/** One visit, from an empty browser to the end of it. */
async function visit() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const [name, value] = house.cookie.split('=') as [string, string]
  await context.addCookies([{ name, value, url: house.origin }])
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable')
  const metric = async (wanted: string) => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return metrics.find((one) => one.name === wanted)!.value
  }
  const busyMs = async () => 1_000 * (await metric('TaskDuration'))
  /** Orders are sorted ahead while nobody asks for anything; that is not part of an answer. */
  const untilQuiet = async () => {
    for (let before = -Infinity, now = await busyMs(); now - before > QUIET_MS;) {
      await setTimeout(QUIET_FOR_MS)
      ;[before, now] = [now, await busyMs()]
    }
  }
  /**
   * What the page's main thread did until it was at rest again, and not how long a person waited. Nobody looks
   * into the page meanwhile: that would be work of the same thread.
   */
  const taskOf = async (act: () => Promise<unknown>, seen: () => Promise<unknown>) => {
    await untilQuiet()
    const before = await busyMs()
    await act()
    await untilQuiet()
    const taken = (await busyMs()) - before
    await seen()
    return taken
  }
  const rows = page.locator('tbody tr')
  const status = page.getByRole('status')
  const started = performance.now()
  await page.goto(house.origin + homeOf('STAFF'))
  await rows.first().waitFor()
  const first = performance.now() - started
  await status.filter({ hasText: all }).waitFor()
  const whole = performance.now() - started

  const email = page.getByRole('button', { name: 'Email' })
  const sort = await taskOf(
    () => email.click(),
    () => page.locator('th[aria-sort=ascending]', { hasText: 'Email' }).waitFor(),
  )
  const turn = await taskOf(
    () => page.getByRole('button', { name: 'Next page' }).click(),
    () => page.getByText(/^11–20 of /).waitFor(),
  )
  const search = await taskOf(
    async () => {
      await page.getByPlaceholder('Search users...').fill('montgomery')
      await setTimeout(SEARCH_DEBOUNCE_MS)
    },
    () => rows.filter({ hasText: 'Montgomery' }).first().waitFor(),
  )
  await cdp.send('HeapProfiler.collectGarbage')
  const heap = (await metric('JSHeapUsedSize')) / MEGABYTE
  await context.close()
  return { first, whole, sort, turn, search, heap }
}

const visits: Awaited<ReturnType<typeof visit>>[] = []
try {
  // One of the accounts is that of staff.
  await addAccounts(house.sql, Number(values.accounts) - 1)
  for (let time = 0; time < times; time += 1) visits.push(await visit())
} finally {
  await browser.close()
  await house.close()
}

const of = (name: keyof (typeof visits)[number]) => visits.map((one) => one[name])
const spread = (name: keyof (typeof visits)[number]) =>
  `${fixed(median(of(name)), 0)} (${fixed(Math.min(...of(name)), 0)} to ${fixed(Math.max(...of(name)), 0)})`
let good = true
const goal = (name: keyof (typeof visits)[number], most: number) => {
  const reached = median(of(name)) < most
  good = good && reached
  return `${spread(name)}, goal under ${most}: ${verdict(reached)}`
}
printFigures([
  `${values.accounts} accounts in Chromium, ${times} visits, medians (least to most)`,
  `ms from opening the page to the first rows: ${goal('first', MOST_FIRST_MS)}`,
  `ms until all were counted: ${spread('whole')}`,
  `main-thread ms of a sort: ${goal('sort', MOST_TASK_MS)}`,
  `main-thread ms of a page turn: ${goal('turn', MOST_TASK_MS)}`,
  `main-thread ms of a search: ${goal('search', MOST_TASK_MS)}`,
  `heap after garbage collection, MB: ${goal('heap', MOST_HEAP_MB)}`,
  loadFigure(),
])
process.exitCode = good ? 0 : 1
