import { LISTING_MAX } from '@guidon/contract/manage-users'
import { BEGINNINGS, OTHER_SEARCHES } from './account-searches.ts'
import type { AccountTasks, SearchKind } from './account-tasks.ts'

export interface Measure {
  name: string
  /** How often in each round. */
  times: number
  /** The least accounts with which it is measured. */
  minAccounts: number
  /** Returns the milliseconds. */
  run(tasks: AccountTasks): Promise<number>
}

const measure = (name: string, times: number, run: Measure['run'], minAccounts = 0): Measure => ({
  name,
  times,
  run,
  minAccounts,
})

const searches = (texts: object, times: number) =>
  (Object.keys(texts) as SearchKind[]).map((kind) =>
    measure(`search: ${kind}`, times, (tasks) => tasks.search(kind)),
  )

/** The goal of each: a maximum ratio of the time with the most accounts to the time with fewer. */
export const READS: readonly Measure[] = [
  measure('account by id, from its session', 200, (tasks) => tasks.bySession()),
  measure('account by email, as a sign-in', 200, (tasks) => tasks.byEmail()),
  measure('first page', 20, (tasks) => tasks.firstPage()),
  measure('next page', 40, (tasks) => tasks.nextPage()),
  measure(
    'request for all accounts, which returns a page',
    10,
    (tasks) => tasks.allAccounts(),
    LISTING_MAX + 1,
  ),
]

/** The same goal and a maximum p99, for all of them together. */
export const BEGINNING_SEARCHES: readonly Measure[] = searches(BEGINNINGS, 6)

/** Without a goal. */
export const OTHERS: readonly Measure[] = searches(OTHER_SEARCHES, 3)
