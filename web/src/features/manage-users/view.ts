import { ROLES, type Role } from '@guidon/contract/account'
import {
  ACCOUNT_STATUSES,
  PAGE_SIZES,
  SORTABLE,
  type AccountStatus,
  type Order,
  type SortBy,
} from '@guidon/contract/manage-users'

/** Search, filters, order and page of the screen, as stored in the address. */
export interface View {
  q: string
  role: Role | undefined
  status: AccountStatus | undefined
  sortBy: SortBy
  order: Order
  /** Counted from 0; the address counts from 1. */
  page: number
  size: number
  /** Cursor of the page, if the server pages. */
  after: string | undefined
}

export const DEFAULT_VIEW: View = {
  q: '',
  role: undefined,
  status: undefined,
  sortBy: 'createdAt',
  order: 'desc',
  page: 0,
  size: PAGE_SIZES[0],
  after: undefined,
}

/** Ignores invalid values. */
export function viewFrom(address: URLSearchParams): View {
  const page = Number(address.get('page'))
  const knownValue = <Value>(name: string, known: readonly Value[]) =>
    known.find((value) => String(value) === address.get(name))
  return {
    q: address.get('q') ?? '',
    role: knownValue('role', ROLES),
    status: knownValue('status', ACCOUNT_STATUSES),
    sortBy: knownValue('sortBy', SORTABLE) ?? DEFAULT_VIEW.sortBy,
    order: knownValue('order', ['asc', 'desc'] as const) ?? DEFAULT_VIEW.order,
    page: Number.isSafeInteger(page) && page > 1 ? page - 1 : 0,
    size: knownValue('size', PAGE_SIZES) ?? DEFAULT_VIEW.size,
    after: address.get('after') ?? undefined,
  }
}

/** Only values that differ from the first view, so that its address has no query. */
export function addressOfView(view: View): Record<string, string> {
  const entries = Object.entries(view).filter(
    ([name, value]) => value !== undefined && value !== DEFAULT_VIEW[name as keyof View],
  )
  return Object.fromEntries(
    entries.map(([name, value]) => [name, String(name === 'page' ? view.page + 1 : value)]),
  )
}

/** Applies a change. Every change except one of the page goes back to the first page. */
export function changeView(view: View, change: Partial<View>): View {
  return { ...view, page: 0, after: undefined, ...change }
}

/** The change that clears the search and all filters. */
export const NO_FILTER = { q: '', role: undefined, status: undefined } as const

export const isFiltered = ({ role, status }: View): boolean =>
  role !== undefined || status !== undefined

/** For a press on a column's heading: sorts by the column, or reverses the order if it is sorted already. */
export function nextSort({ sortBy, order }: View, column: SortBy): Pick<View, 'sortBy' | 'order'> {
  return { sortBy: column, order: sortBy === column && order === 'asc' ? 'desc' : 'asc' }
}
