import { parseArgs } from 'node:util'
import { listUsers, SORTABLE } from '@guidon/contract/manage-users'
import { addAccounts, openAccountsHouse } from './accounts-house.ts'
import { fixed, loadFigure, printFigures, ratioFigure, verdict } from './figures.ts'
import { median, percentile, shuffled } from './stats.ts'

/** Searching, turning pages and finding one account, among a million. */

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000000' },
    searches: { type: 'string', default: '1000' },
    turns: { type: 'string', default: '1000' },
  },
})
const SMALL = 10_000
const PAGE = 25
const WARM_UP = 50
const MOST_SEARCH_MS = 50
const MOST_TURN_MS = 5
const MOST_GROWTH = 1.5

/** As people type: a beginning, a middle, both names, an address, one letter, one account, nothing at all. */
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
]

interface Page {
  users: object[]
  next: string | null
}

const house = await openAccountsHouse()
const pick = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)]!

async function ask(query: Record<string, string>): Promise<Page & { ms: number }> {
  const started = performance.now()
  const address = `${house.base}${listUsers.path}?${new URLSearchParams(query).toString()}`
  const answer = await fetch(address, { headers: { cookie: house.cookie } })
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`)
  const page = (await answer.json()) as Page
  return { ...page, ms: performance.now() - started }
}

const sorting = () => ({ sortBy: pick(SORTABLE), order: pick(['asc', 'desc']), limit: `${PAGE}` })

async function searches(count: number) {
  const taken = new Map<string, number[]>(SEARCHES.map((q) => [q, []]))
  for (let n = 0; n < count; n += 1) {
    const q = SEARCHES[n % SEARCHES.length]!
    const role = n % 5 === 0 ? { role: pick(['USER', 'STAFF']) } : {}
    const { ms } = await ask({ q, ...role, ...sorting() })
    if (n >= WARM_UP) taken.get(q)!.push(ms)
  }
  const all = [...taken.values()].flat()
  const slowest = [...taken].toSorted(([, a], [, b]) => percentile(b, 0.95) - percentile(a, 0.95))
  const worst = slowest
    .slice(0, 3)
    .map(([q, times]) => `“${q}” ${fixed(percentile(times, 0.95), 1)}`)
  const p95 = percentile(all, 0.95)
  const text =
    `search: p50 ${fixed(median(all), 1)} ms, p95 ${fixed(p95, 1)} ms, slowest ${fixed(Math.max(...all), 1)} ms ` +
    `of ${all.length}; p95 of the slowest words: ${worst.join(', ')}; ` +
    `goal p95 under ${MOST_SEARCH_MS} ms: ${verdict(p95 < MOST_SEARCH_MS)}`
  return { reached: p95 < MOST_SEARCH_MS, text }
}

async function turns(count: number) {
  const times: number[] = []
  while (times.length < count + WARM_UP) {
    const query = sorting()
    let { next } = await ask(query)
    for (let turn = 0; turn < 20 && next !== null; turn += 1) {
      const page = await ask({ ...query, cursor: next })
      times.push(page.ms)
      next = page.next
    }
  }
  const taken = times.slice(WARM_UP)
  const p95 = percentile(taken, 0.95)
  const text =
    `page turn: p50 ${fixed(median(taken))} ms, p95 ${fixed(p95)} ms of ${taken.length}, ` +
    `goal p95 under ${MOST_TURN_MS} ms: ${verdict(p95 < MOST_TURN_MS)}`
  return { reached: p95 < MOST_TURN_MS, text }
}

/** Both tables in one run, one lookup each in turn: whatever disturbs one disturbs the other. */
async function lookups(rounds = 20, each = 500) {
  const { sql } = house
  await sql.query('create table few_users (like users including all)')
  await sql.query(`insert into few_users select * from users order by md5(id::text) limit ${SMALL}`)
  await sql.query('vacuum analyze few_users')
  const emails = async (table: string) => {
    const { rows } = await sql.query<{ email: string }>(
      `select email from ${table} order by random() limit ${each}`,
    )
    return rows.map(({ email }) => email)
  }
  const find = async (table: string, list: readonly string[]) => {
    const taken: number[] = []
    for (const email of list) {
      const started = performance.now()
      const text = `select id, role, password_hash, is_active from ${table} where email = $1`
      await sql.query({ name: table, text, values: [email] })
      taken.push(performance.now() - started)
    }
    return median(taken)
  }
  const lists = { users: await emails('users'), few_users: await emails('few_users') }
  const ratios: number[] = []
  const micros: Record<keyof typeof lists, number[]> = { users: [], few_users: [] }
  for (let round = 0; round <= rounds; round += 1) {
    for (const table of shuffled(['users', 'few_users'] as const)) {
      micros[table].push(1_000 * (await find(table, lists[table])))
    }
    // The first of all is cold.
    if (round > 0) ratios.push(micros.users.at(-1)! / micros.few_users.at(-1)!)
  }
  const { high, text: ratio } = ratioFigure(ratios)
  const text =
    `lookup by email: ${fixed(median(micros.users), 0)} µs among ${values.accounts}, ` +
    `${fixed(median(micros.few_users), 0)} µs among ${SMALL}, ratio ${ratio}, ` +
    `goal at most ${MOST_GROWTH} at the upper end: ${verdict(high <= MOST_GROWTH)}`
  return { reached: high <= MOST_GROWTH, text }
}

const figures: string[] = []
let good = true
try {
  const started = performance.now()
  await addAccounts(house.sql, Number(values.accounts) - 1)
  const { rows } = await house.sql.query<{ size: string }>(
    `select pg_size_pretty(pg_total_relation_size('users')) as size`,
  )
  const seconds = fixed((performance.now() - started) / 1000, 0)
  figures.push(`${values.accounts} accounts loaded in ${seconds} s, ${rows[0]!.size}`)
  for (const measured of [
    await searches(Number(values.searches)),
    await turns(Number(values.turns)),
    await lookups(),
  ]) {
    figures.push(measured.text)
    good = good && measured.reached
  }
} finally {
  await house.close()
}
printFigures([...figures, loadFigure()])
process.exitCode = good ? 0 : 1
