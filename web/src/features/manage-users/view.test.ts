import { expect, it } from 'vitest'
import { addressOfView, changeView, DEFAULT_VIEW, nextSort, viewFrom, type View } from './view.ts'

const viewAt = (address: string) => viewFrom(new URLSearchParams(address))

it('starts with all roles, created at descending, ten to a page, at an address without a query', () => {
  expect(viewAt('')).toEqual(DEFAULT_VIEW)
  expect(DEFAULT_VIEW).toMatchObject({ sortBy: 'createdAt', order: 'desc', size: 10, page: 0 })
  expect(addressOfView(DEFAULT_VIEW)).toEqual({})
})

it('keeps search, filter, sort and page in the address', () => {
  const view: View = {
    q: 'ramón & co',
    role: 'STAFF',
    status: 'notLinked',
    sortBy: 'lastName',
    order: 'asc',
    page: 2,
    size: 25,
    after: 'abc',
  }
  const address = addressOfView(view)
  expect(address).toMatchObject({ page: '3', role: 'STAFF', status: 'notLinked' })
  expect(viewFrom(new URLSearchParams(address))).toEqual(view)
})

it('ignores invalid values in the address', () => {
  expect(viewAt('role=KING&status=gone&sortBy=phone&order=up&page=-3&size=1000')).toEqual(
    DEFAULT_VIEW,
  )
  expect(viewAt('page=1.5')).toEqual(DEFAULT_VIEW)
})

it('goes back to the first page with every change except of the page', () => {
  const third = { ...DEFAULT_VIEW, page: 2, after: 'abc' }
  expect(changeView(third, { role: 'USER' })).toMatchObject({ page: 0, after: undefined })
  expect(changeView(third, { page: 3 })).toMatchObject({ page: 3, after: undefined })
})

it('reverses the order when the column is pressed again', () => {
  expect(nextSort(DEFAULT_VIEW, 'email')).toEqual({ sortBy: 'email', order: 'asc' })
  expect(nextSort(DEFAULT_VIEW, 'createdAt')).toEqual({ sortBy: 'createdAt', order: 'asc' })
  const byEmail = { ...DEFAULT_VIEW, sortBy: 'email', order: 'asc' } as const
  expect(nextSort(byEmail, 'email')).toEqual({ sortBy: 'email', order: 'desc' })
})
