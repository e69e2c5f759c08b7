import { parseArgs } from 'node:util'
import { listUsers, SORTABLE } from '@guidon/contract/manage-users'
import { addAccounts, startAccountsStack } from './accounts-stack.ts'
import { fixed, loadFigure, printFigures, ratioFigure, verdict } from './figures.ts'
import { median, percentile, shuffled } from './stats.ts'

/** Searches, page turns and lookups by email among a million accounts. */

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000000' },
    searches: { type: 'string', default: '1000' },
    turns: { type: 'string', default: '1000' },
  },
})
const SMALL_TABLE_ROWS = 10_000
const PAGE = 25
const WARM_UP = 50
const MAX_SEARCH_MS = 50
const MAX_TURN_MS = 5
const MAX_LOOKUP_RATIO = 1.5

/** The kinds of search: a prefix, an infix, both names, an address, one letter, one account, a phone number, no match. */
const SEARCHES = [
  'whit',
  'whitfield',
  'alvarez',
  'field',
  'gomery',
  'maria alv',
  'james.whitfield1',
  'rosa.prescott99',
  's',
  'ka',
  'xq',
  'zzyzx',
  'staff@guidon',
  '77777@example',
  'son',
  '@example.com',
  '(000) 077-7777',
  '7777',
]

interface Page {
  users: object[]
  next: string | null
}

const stack = await startAccountsStack()
const randomItem = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)]!

async function fetchPage(query: Record<string, string>): Promise<Page & { ms: number }> {
  const started = performance.now()
  const address = `${stack.base}${listUsers.path}?${new URLSearchParams(query).toString()}`
  const response = await fetch(address, { headers: { cookie: stack.cookie } })
  if (!response.ok) throw new Error(`${address} responded with ${response.status}`)
  const page = (await response.json()) as Page
  return { ...page, ms: performance.now() - started }
}

const randomSorting = () => ({
  sortBy: randomItem(SORTABLE),
  order: randomItem(['asc', 'desc']),
  limit: `${PAGE}`,
})

async function measureSearches(count: number) {
  const timesByWord = new Map<string, number[]>(SEARCHES.map((q) => [q, []]))
  for (let n = 0; n < count; n += 1) {
    const q = SEARCHES[n % SEARCHES.length]!
    const role = n % 5 === 0 ? { role: randomItem(['USER', 'STAFF']) } : {}
    const { ms } = await fetchPage({ q, ...role, ...randomSorting() })
    if (n >= WARM_UP) timesByWord.get(q)!.push(ms)
  }
  const all = [...timesByWord.values()].flat()
  const slowest = [...timesByWord].toSorted(
    ([, a], [, b]) => percentile(b, 0.95) - percentile(a, 0.95),
  )
  const worst = slowest
    .slice(0, 3)
    .map(([q, times]) => `“${q}” ${fixed(percentile(times, 0.95), 1)}`)
  const p95 = percentile(all, 0.95)
  const text =
    `search: p50 ${fixed(median(all), 1)} ms, p95 ${fixed(p95, 1)} ms, slowest ${fixed(Math.max(...all), 1)} ms ` +
    `of ${all.length}; p95 of the slowest words: ${worst.join(', ')}; ` +
    `goal p95 under ${MAX_SEARCH_MS} ms: ${verdict(p95 < MAX_SEARCH_MS)}`
  return { reached: p95 < MAX_SEARCH_MS, text }
}

async function measurePageTurns(count: number) {
  const times: number[] = []
  while (times.length < count + WARM_UP) {
    const query = randomSorting()
    let { next } = await fetchPage(query)
    for (let turn = 0; turn < 20 && next !== null; turn += 1) {
      const page = await fetchPage({ ...query, cursor: next })
      times.push(page.ms)
      next = page.next
    }
  }
  const measured = times.slice(WARM_UP)
  const p95 = percentile(measured, 0.95)
  const text =
    `page turn: p50 ${fixed(median(measured))} ms, p95 ${fixed(p95)} ms of ${measured.length}, ` +
    `goal p95 under ${MAX_TURN_MS} ms: ${verdict(p95 < MAX_TURN_MS)}`
  return { reached: p95 < MAX_TURN_MS, text }
}

/** Measures both tables in random order in each round, so that disturbances affect them equally. */
async function measureLookups(rounds = 20, emailsPerRound = 500) {
  const { sql } = stack
  await sql.query('create table few_users (like users including all)')
  await sql.query(
    `insert into few_users select * from users order by md5(id::text) limit ${SMALL_TABLE_ROWS}`,
  )
  await sql.query('vacuum analyze few_users')
  const emails = async (table: string) => {
    const { rows } = await sql.query<{ email: string }>(
      `select email from ${table} order by random() limit ${emailsPerRound}`,
    )
    return rows.map(({ email }) => email)
  }
  const find = async (table: string, list: readonly string[]) => {
    const times: number[] = []
    for (const email of list) {
      const started = performance.now()
      const text = `select id, role, password_hash, is_active from ${table} where email = $1`
      await sql.query({ name: table, text, values: [email] })
      times.push(performance.now() - started)
    }
    return median(times)
  }
  const lists = { users: await emails('users'), few_users: await emails('few_users') }
  const ratios: number[] = []
  const microseconds: Record<keyof typeof lists, number[]> = { users: [], few_users: [] }
  for (let round = 0; round <= rounds; round += 1) {
    for (const table of shuffled(['users', 'few_users'] as const)) {
      microseconds[table].push(1_000 * (await find(table, lists[table])))
    }
    // Ignore the first round, which fills the caches.
    if (round > 0) ratios.push(microseconds.users.at(-1)! / microseconds.few_users.at(-1)!)
  }
  const { high, text: ratio } = ratioFigure(ratios)
  const text =
    `lookup by email: ${fixed(median(microseconds.users), 0)} µs among ${values.accounts}, ` +
    `${fixed(median(microseconds.few_users), 0)} µs among ${SMALL_TABLE_ROWS}, ratio ${ratio}, ` +
    `goal at most ${MAX_LOOKUP_RATIO} at the upper end: ${verdict(high <= MAX_LOOKUP_RATIO)}`
  return { reached: high <= MAX_LOOKUP_RATIO, text }
}

const figures: string[] = []
let allReached = true
try {
  const started = performance.now()
  await addAccounts(stack.sql, Number(values.accounts) - 1)
  const { rows } = await stack.sql.query<{ size: string }>(
    `select pg_size_pretty(pg_total_relation_size('users')) as size`,
  )
  const seconds = fixed((performance.now() - started) / 1000, 0)
  figures.push(`${values.accounts} accounts loaded in ${seconds} s, ${rows[0]!.size}`)
  for (const measured of [
    await measureSearches(Number(values.searches)),
    await measurePageTurns(Number(values.turns)),
    await measureLookups(),
  ]) {
    figures.push(measured.text)
    allReached = allReached && measured.reached
  }
} finally {
  await stack.close()
}
printFigures([...figures, loadFigure()])
process.exitCode = allReached ? 0 : 1
