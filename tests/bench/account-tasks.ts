import { listUsers, LISTING_MAX } from '@guidon/contract/manage-users'
import { lookups } from './account-lookups.ts'
import {
  BEGINNINGS,
  OTHER_SEARCHES,
  randomItem,
  randomView,
  sampleUsers,
} from './account-searches.ts'
import type { SampleUser } from './account-searches.ts'
import type { SizedApi } from './account-sizes.ts'

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

export async function accountTasks(api: SizedApi): Promise<AccountTasks> {
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
