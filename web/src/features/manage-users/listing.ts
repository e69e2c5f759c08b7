import type { Role } from '@guidon/contract/account'
import {
  phoneInSearch,
  type AccountStatus,
  type ManagedUser,
  type Order,
  type SortBy,
} from '@guidon/contract/manage-users'
import { sortRows } from './sort-rows.ts'

/** Every account, with indexes for searching and sorting. */
export interface Listing {
  readonly users: readonly ManagedUser[]
  /** The text of each user that a search looks through, in lower case without accents. */
  readonly searchTexts: readonly string[]
  /** Row numbers in ascending order of a column, sorted on first use. */
  readonly orders: Map<SortBy, Uint32Array>
}

export interface ListingFilter {
  q: string
  role: Role | undefined
  status: AccountStatus | undefined
  sortBy: SortBy
  order: Order
}

const NOT_ASCII = /[^\0-\u007f]/

/** Lower case without accents, so that `ramon` finds Ramón and is sorted beside him. */
function foldText(text: string): string {
  const lower = text.toLowerCase()
  return NOT_ASCII.test(lower) ? lower.normalize('NFD').replace(/\p{M}/gu, '') : lower
}

export function searchTextOf(user: ManagedUser): string {
  const { firstName, lastName, email, phone, salesforceId, boxFolderId } = user
  return foldText(
    `${firstName} ${lastName} ${email} ${phone} ${salesforceId ?? ''} ${boxFolderId ?? ''}`,
  )
}

export function listingOf(
  users: readonly ManagedUser[],
  searchTexts = users.map(searchTextOf),
): Listing {
  return { users, searchTexts, orders: new Map() }
}

/** Replaces an account, and keeps the orders that it does not change. */
export function replaceUser(listing: Listing, user: ManagedUser): Listing {
  const row = listing.users.findIndex(({ id }) => id === user.id)
  const old = listing.users[row]
  if (!old) return listing
  const unchangedOrders = [...listing.orders].filter(([column]) => old[column] === user[column])
  return {
    users: listing.users.with(row, user),
    searchTexts: listing.searchTexts.with(row, searchTextOf(user)),
    orders: new Map(unchangedOrders),
  }
}

const HAS_STATUS: Readonly<Record<AccountStatus, (user: ManagedUser) => boolean>> = {
  notLinked: ({ salesforceId }) => salesforceId === null,
  inactive: ({ isActive }) => !isActive,
}

/** Row numbers of the matching accounts, in the requested order. */
export function matchingRows(
  listing: Listing,
  { q, role, status, sortBy, order }: ListingFilter,
): Uint32Array {
  const ascending = sortedRows(listing, sortBy)
  const rows = order === 'asc' ? ascending : ascending.toReversed()
  const words = foldText(q).split(' ').filter(Boolean)
  if (words.length === 0 && role === undefined && status === undefined) return rows
  const { users, searchTexts } = listing
  const digits = phoneInSearch(q)
  const hasStatus = status && HAS_STATUS[status]
  return rows.filter((row) => {
    const user = users[row]!
    const text = searchTexts[row]!
    return (
      (role === undefined || user.role === role) &&
      (hasStatus === undefined || hasStatus(user)) &&
      ((digits !== undefined && user.phone.includes(digits)) ||
        words.every((word) => text.includes(word)))
    )
  })
}

export function sortedRows(listing: Listing, column: SortBy): Uint32Array {
  const cached = listing.orders.get(column)
  if (cached) return cached
  const steps = sortInSteps(listing, column)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** Sorts like `sortedRows`, in small steps. */
export function* sortInSteps(listing: Listing, column: SortBy): Generator<undefined, Uint32Array> {
  const keys = listing.users.map((user) => foldText(user[column]))
  yield
  const sorted = yield* sortRows(keys)
  listing.orders.set(column, sorted)
  return sorted
}

/** A page of these rows, counted from 0; the last one for a page beyond the end. */
export function pageOf(listing: Listing, rows: Uint32Array, page: number, size: number) {
  const shown = Math.max(0, Math.min(page, Math.ceil(rows.length / size) - 1))
  const users = Array.from(
    rows.subarray(shown * size, (shown + 1) * size),
    (row) => listing.users[row]!,
  )
  return { users, page: shown }
}
