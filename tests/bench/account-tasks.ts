import { setTimeout as delay } from 'node:timers/promises'
import { checkAuth, login } from '@guidon/contract/auth'
import { listUsers, LISTING_MAX, SORTABLE } from '@guidon/contract/manage-users'
import type { AccountsApi } from './accounts-stack.ts'
import { sessionParameters } from './reads.ts'
import { accessHasher } from './veterans.ts'

const POLL_MS = 20

/** Search texts are made from accounts of the database, so that they match as often as in real use. */
interface SampleUser {
  email: string
  first: string
  last: string
  phone: string
}

const SAMPLES = 5_000
const PAGE = '25'

const between = (from: number, to: number) => from + Math.floor(Math.random() * (to - from + 1))
const randomItem = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)]!

/** A part of the text that starts after its beginning. */
function middle(text: string, length: number): string {
  const from = between(1, Math.max(1, text.length - length))
  return text.slice(from, from + length)
}

/** Beginnings of names and emails, as short and as complete as people type them. */
export const BEGINNINGS = {
  'beginning of a last name': ({ last }: SampleUser) => last.slice(0, between(3, 6)),
  'last name': ({ last }: SampleUser) => last,
  'first name and beginning of the last name': ({ first, last }: SampleUser) =>
    `${first} ${last.slice(0, between(1, 4))}`,
  'full name': ({ first, last }: SampleUser) => `${first} ${last}`,
  'beginning of an email': ({ email }: SampleUser) => email.slice(0, between(4, 16)),
  'email before the @': ({ email }: SampleUser) => email.split('@')[0]!,
  'whole email': ({ email }: SampleUser) => email,
} as const

/** Without a goal. */
export const OTHER_SEARCHES = {
  'one letter': ({ last }: SampleUser) => last.slice(0, 1),
  'two letters': ({ last }: SampleUser) => last.slice(0, 2),
  'middle of a last name': ({ last }: SampleUser) => middle(last, 4),
  'end of an email before the @': ({ email }: SampleUser) => email.split('@')[0]!.slice(-6),
  'email with a wrong beginning': ({ email }: SampleUser) => email.slice(2),
  'domain of an email': ({ email }: SampleUser) => email.slice(email.indexOf('@')),
  'whole phone number': ({ phone }: SampleUser) => phone,
  'beginning of a phone number': ({ phone }: SampleUser) => phone.slice(0, 6),
  'end of a phone number': ({ phone }: SampleUser) => phone.slice(-4),
  'no match': () => `zz${between(1_000, 9_999)}qx`,
} as const

/** What is measured with each number of accounts. Each returns its milliseconds. */
export interface AccountTasks {
  bySession(): Promise<number>
  byEmail(): Promise<number>
  firstPage(): Promise<number>
  nextPage(): Promise<number>
  /** Requests all accounts, of which the API returns only a page if there are more than a listing contains. */
  allAccounts(): Promise<number>
  search(kind: SearchKind): Promise<number>
}

export type SearchKind = keyof typeof BEGINNINGS | keyof typeof OTHER_SEARCHES
const SEARCH_TEXTS: Record<SearchKind, (user: SampleUser) => string> = {
  ...BEGINNINGS,
  ...OTHER_SEARCHES,
}
const TURNS_PER_VIEW = 20

interface Page {
  users: object[]
  next: string | null
}

export async function accountTasks(api: AccountsApi): Promise<AccountTasks> {
  const users = await sampleUsers(api)
  const emails = users.map(({ email }) => email)

  const fetchPage = async (query: Record<string, string>): Promise<Page & { ms: number }> => {
    const started = performance.now()
    const address = `${api.base}${listUsers.path}?${new URLSearchParams(query).toString()}`
    const response = await fetch(address, { headers: { cookie: api.cookie } })
    if (!response.ok) throw new Error(`${address} responded with ${response.status}`)
    const page = (await response.json()) as Page
    return { ...page, ms: performance.now() - started }
  }

  const turning = { view: randomView(), next: null as string | null, turns: 0 }
  const nextPage = async () => {
    while (turning.next === null || turning.turns >= TURNS_PER_VIEW) {
      turning.view = randomView()
      turning.turns = 0
      turning.next = (await fetchPage(turning.view)).next
    }
    const page = await fetchPage({ ...turning.view, cursor: turning.next })
    turning.next = page.next
    turning.turns += 1
    return page.ms
  }

  return {
    ...(await lookups(api, emails)),
    firstPage: async () => (await fetchPage(randomView())).ms,
    nextPage,
    allAccounts: async () => {
      const page = await fetchPage({})
      const whole = api.accounts <= LISTING_MAX
      if (whole !== (page.next === null)) throw new Error('the listing has an unexpected length')
      return page.ms
    },
    search: async (kind) => {
      const q = SEARCH_TEXTS[kind](randomItem(users))
      return (await fetchPage({ ...randomView(), q })).ms
    },
  }
}

async function sampleUsers({ sql, accounts }: AccountsApi): Promise<SampleUser[]> {
  const { rows } = await sql.query<SampleUser>(
    `select email, first_name as first, last_name as last, phone from users
     where random() < $1 and is_active`,
    [SAMPLES / accounts],
  )
  return rows
}

/** Any order; every third search is limited to a role. */
function randomView(): Record<string, string> {
  const role = randomItem([undefined, undefined, undefined, undefined, 'USER', 'STAFF'])
  return {
    sortBy: randomItem(SORTABLE),
    order: randomItem(['asc', 'desc']),
    limit: PAGE,
    ...(role && { role }),
  }
}

/** The statements with which the API finds one account. */
interface LookupStatements {
  bySession: string
  byEmail: string
}

async function lookupStatements(api: AccountsApi): Promise<LookupStatements> {
  const { base, origin, cookie } = api
  const unknown = { email: 'nobody@guidon.example', password: 'Harbor-Lantern-42!' }
  return {
    bySession: await blockedStatement(api, () =>
      fetch(base + checkAuth.path, { headers: { cookie } }),
    ),
    byEmail: await blockedStatement(api, () =>
      fetch(base + login.path, {
        method: login.method,
        headers: { origin, 'content-type': 'application/json' },
        body: JSON.stringify(unknown),
      }),
    ),
  }
}

/** Locks the accounts, so that the call has to wait at the first statement that reads them. Returns that statement. */
async function blockedStatement(
  { sql }: AccountsApi,
  call: () => Promise<Response>,
): Promise<string> {
  await sql.query('begin')
  await sql.query('lock table users in access exclusive mode')
  const response = call()
  try {
    for (;;) {
      // Within a transaction, the view would not change.
      await sql.query('select pg_stat_clear_snapshot()')
      const { rows } = await sql.query<{ query: string }>(
        `select query from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%users%'`,
      )
      if (rows[0]) return rows[0].query
      await delay(POLL_MS)
    }
  } finally {
    await sql.query('rollback')
    await (await response).text()
  }
}

/** Returns functions that look up a random account and return the milliseconds. */
async function lookups(api: AccountsApi, emails: readonly string[]) {
  const { sql, tokenKey } = api
  const { bySession, byEmail } = await lookupStatements(api)
  // All but session 0, which is the staff account's.
  const { rows } = await sql.query<{ count: number }>(
    'select count(*)::int - 1 as count from session_tokens',
  )
  const sessions = rows[0]!.count
  const hash = accessHasher(tokenKey)
  const timed = async (name: string, text: string, values: unknown[]): Promise<number> => {
    const started = performance.now()
    const found = await sql.query({ name, text, values })
    const ms = performance.now() - started
    if (found.rows.length !== 1) throw new Error(`found ${found.rows.length} accounts ${name}`)
    return ms
  }
  return {
    bySession: () =>
      timed('by session', bySession, sessionParameters(hash(1 + randomBelow(sessions)))),
    byEmail: () => timed('by email', byEmail, [emails[randomBelow(emails.length)]]),
  }
}

const randomBelow = (limit: number) => Math.floor(Math.random() * limit)
