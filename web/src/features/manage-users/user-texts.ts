import type { Role } from '@guidon/contract/account'
import {
  LISTING_MAX,
  type AccountStatus,
  type ManagedUser,
  type Order,
  type SortBy,
} from '@guidon/contract/manage-users'

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  ADMIN: 'Admin',
  USER: 'User',
  STAFF: 'Staff',
}

export const COLUMNS: readonly { column: SortBy; label: string }[] = [
  { column: 'email', label: 'Email' },
  { column: 'lastName', label: 'Last name' },
  { column: 'firstName', label: 'First name' },
  { column: 'role', label: 'Role' },
  { column: 'createdAt', label: 'Created at' },
]

export const ALL_ROLES = 'ALL'
export const ROLE_CHOICES: readonly { value: Role | typeof ALL_ROLES; label: string }[] = [
  { value: ALL_ROLES, label: 'All Roles' },
  { value: 'ADMIN', label: ROLE_NAMES.ADMIN },
  { value: 'USER', label: ROLE_NAMES.USER },
  { value: 'STAFF', label: ROLE_NAMES.STAFF },
]

export const NOT_LINKED = 'Not linked'
export const INACTIVE = 'Inactive'

export const ALL_ACCOUNTS = 'ALL'
export const STATUS_CHOICES: readonly {
  value: AccountStatus | typeof ALL_ACCOUNTS
  label: string
}[] = [
  { value: ALL_ACCOUNTS, label: 'All accounts' },
  { value: 'notLinked', label: NOT_LINKED },
  { value: 'inactive', label: INACTIVE },
]

interface Sort {
  sortBy: SortBy
  order: Order
}

const ORDER_LABELS: Readonly<Record<Order, { text: string; time: string }>> = {
  asc: { text: 'A to Z', time: 'oldest first' },
  desc: { text: 'Z to A', time: 'newest first' },
}

const sorts: readonly (Sort & { value: string; label: string })[] = COLUMNS.flatMap(
  ({ column, label }) =>
    (['asc', 'desc'] as const).map((order) => ({
      sortBy: column,
      order,
      value: sortChoiceOf({ sortBy: column, order }),
      label: `${label}, ${ORDER_LABELS[order][column === 'createdAt' ? 'time' : 'text']}`,
    })),
)
export const SORT_CHOICES: readonly { value: string; label: string }[] = sorts

export function sortChoiceOf({ sortBy, order }: Sort): string {
  return `${sortBy} ${order}`
}

export function sortFromChoice(value: string): Partial<Sort> {
  const chosen = sorts.find((sort) => sort.value === value)
  return chosen ? { sortBy: chosen.sortBy, order: chosen.order } : {}
}

export const NO_USERS = 'No users found.'
export const SERVER_PAGING_NOTES = {
  'too many': `More than ${LISTING_MAX.toLocaleString('en-US')} accounts: searching, sorting and paging ask the server.`,
  'not fetched': 'Searching, sorting and paging ask the server, a page at a time.',
} as const
export const USER_DELETED = 'User deleted: the account can no longer sign in.'
export const USER_REACTIVATED = 'The account is active again.'
export const NO_VALUE = 'N/A'

export const fullName = ({ firstName, lastName }: ManagedUser): string =>
  `${firstName} ${lastName}`.trim()

export const countText = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'user' : 'users'}`

/** `11–20 of 12,486`; without the count if it is unknown. */
export function rangeText(
  page: number,
  size: number,
  shown: number,
  found: number | undefined,
): string {
  if (shown === 0) return '0 of 0'
  const from = page * size + 1
  const range = `${from.toLocaleString('en-US')}–${(from + shown - 1).toLocaleString('en-US')}`
  return found === undefined ? range : `${range} of ${found.toLocaleString('en-US')}`
}
