import type { ManagedUser } from '@guidon/contract/manage-users'
import { expect, it } from 'vitest'
import {
  listingOf,
  matchingRows,
  sortedRows,
  pageOf,
  replaceUser,
  type ListingFilter,
} from './listing.ts'
import { manyUsers, sampleUser } from './sample-users.ts'

const DEFAULT: ListingFilter = {
  q: '',
  role: undefined,
  status: undefined,
  sortBy: 'createdAt',
  order: 'desc',
}

const sampleUsers = [
  sampleUser({
    email: 'tom@guidon.example',
    firstName: 'Tom',
    lastName: 'Becker',
    role: 'STAFF',
    phone: '5551234567',
    createdAt: '2026-11-09T10:00:00.000Z',
  }),
  sampleUser({
    email: 'ramon@example.com',
    firstName: 'Ramón',
    lastName: 'Álvarez',
    createdAt: '2026-11-08T10:00:00.000Z',
  }),
  sampleUser({
    email: 'zoe@example.com',
    firstName: 'zoe',
    lastName: 'alvarado',
    isActive: false,
    createdAt: '2026-11-07T10:00:00.000Z',
  }),
  sampleUser({
    email: 'dana@guidon.example',
    firstName: 'Dana',
    lastName: 'Okafor',
    role: 'ADMIN',
    salesforceId: '0035e00001LmKd2',
    boxFolderId: '281190442718',
    createdAt: '2026-11-06T10:00:00.000Z',
  }),
]

function found(
  wanted: Partial<ListingFilter>,
  users: readonly ManagedUser[] = sampleUsers,
): string[] {
  const listing = listingOf(users)
  return Array.from(
    matchingRows(listing, { ...DEFAULT, ...wanted }),
    (row) => listing.users[row]!.firstName,
  )
}

it('sorts by created at, descending, by default', () => {
  const newestFirst = ['Tom', 'Ramón', 'zoe', 'Dana']
  expect(found({})).toEqual(newestFirst)
  expect(found({}, sampleUsers.toReversed())).toEqual(newestFirst)
  expect(
    found(
      {},
      [2, 0, 3, 1].map((at) => sampleUsers[at]!),
    ),
  ).toEqual(newestFirst)
})

it.each([
  ['email', ['Dana', 'Ramón', 'Tom', 'zoe']],
  ['lastName', ['zoe', 'Ramón', 'Tom', 'Dana']],
  ['firstName', ['Dana', 'Ramón', 'Tom', 'zoe']],
  ['role', ['Dana', 'Tom', 'Ramón', 'zoe']],
  ['createdAt', ['Dana', 'zoe', 'Ramón', 'Tom']],
] as const)('sorts by %s in both directions, ignoring case and accents', (sortBy, names) => {
  expect(found({ sortBy, order: 'asc' })).toEqual(names)
  expect(found({ sortBy, order: 'desc' })).toEqual(names.toReversed())
})

it.each([
  ['an email', 'EXAMPLE.com', ['Ramón', 'zoe']],
  ['a name without its accents', 'ramon', ['Ramón']],
  ['names in any order', 'okafor dana', ['Dana']],
  ['a Salesforce ID', '0035e00001lmkd2', ['Dana']],
  ['a Box ID', '81190442', ['Dana']],
  ['a phone number as it is stored', '5551234567', ['Tom']],
  ['a phone number as it is written', '(555) 123-4567', ['Tom']],
  ['a phone number with its country code', '+1 555.123.4567', ['Tom']],
  ['the last digits of a phone number', '4567', ['Tom']],
  ['an area code with a name', '555 becker', ['Tom']],
  ['a name with spaces around it', '  becker ', ['Tom']],
  ['a name that nobody has', 'nobody', []],
])('searches by %s', (_, q, names) => {
  expect(found({ q })).toEqual(names)
})

it('filters by role, together with a search', () => {
  expect(found({ role: 'USER' })).toEqual(['Ramón', 'zoe'])
  expect(found({ role: 'USER', q: 'zoe' })).toEqual(['zoe'])
  expect(found({ role: 'ADMIN', q: 'zoe' })).toEqual([])
})

it('filters by status: not linked, which means no Salesforce ID, and inactive', () => {
  expect(found({ status: 'notLinked' })).toEqual(['Tom', 'Ramón', 'zoe'])
  expect(found({ status: 'inactive' })).toEqual(['zoe'])
  expect(found({ status: 'notLinked', role: 'USER', q: 'example.com' })).toEqual(['Ramón', 'zoe'])
})

it('shows a page of 10, and the last one for a page beyond the end', () => {
  const listing = listingOf(manyUsers(23))
  const rows = matchingRows(listing, DEFAULT)
  expect(pageOf(listing, rows, 0, 10).users).toHaveLength(10)
  expect(pageOf(listing, rows, 2, 10)).toMatchObject({ page: 2, users: { length: 3 } })
  expect(pageOf(listing, rows, 9, 10)).toMatchObject({ page: 2, users: { length: 3 } })
  expect(pageOf(listing, rows.subarray(0, 0), 4, 10)).toEqual({ page: 0, users: [] })
})

it('replaces an account, finds it by its new values, and keeps the orders that it does not change', () => {
  const listing = listingOf(sampleUsers)
  sortedRows(listing, 'email')
  sortedRows(listing, 'firstName')
  const updated = replaceUser(listing, {
    ...sampleUsers[0]!,
    firstName: 'Adam',
    salesforceId: 'NEW1',
  })
  expect([...updated.orders.keys()]).toEqual(['email'])
  expect([...matchingRows(updated, { ...DEFAULT, q: 'new1' })]).toEqual([0])
  expect(listing.users[0]!.firstName).toBe('Tom')
  expect(replaceUser(listing, sampleUser({ id: 'someone else' }))).toBe(listing)
})
