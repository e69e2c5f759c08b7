import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import {
  LISTING_PATH,
  chooseAction,
  dana,
  shownEmails,
  FIRST_PAGE_PATH,
  linda,
  maria,
  openUsers,
  sampleUsers,
  rowOf,
  findStatus,
  tom,
} from '../../../test/manage-users.tsx'
import { manyUsers } from './sample-users.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('lists every account with its details, the newest first', async () => {
  const { requested } = await openUsers()
  await findStatus('4 users')
  expect(shownEmails()).toEqual(sampleUsers.map(({ email }) => email))
  const headings = screen.getAllByRole('columnheader').map((cell) => cell.textContent)
  expect(headings.map((text) => text?.replace(/sorted.*/, ''))).toEqual([
    'Email',
    'Last name',
    'First name',
    'Role',
    'Created at',
    'Salesforce ID',
    'Box ID',
    'Actions',
  ])
  expect(rowOf(/maria/)).toHaveTextContent('AlvarezMariaUserNovember 12, 2026')
  expect(within(rowOf(/maria/)).getByRole('link')).toHaveAttribute(
    'href',
    'https://crm.example/0035e00001XyAb1',
  )
  expect(rowOf(/maria/)).toHaveTextContent('281190442718')
  expect(rowOf(/tom/)).toHaveTextContent('Not linked')
  expect(within(rowOf(/tom/)).queryByRole('link')).toBeNull()
  await waitFor(() => expect(requested()).toEqual([FIRST_PAGE_PATH, LISTING_PATH]))
})

it('shows the role as a chip: admin primary, staff secondary, user default', async () => {
  await openUsers()
  await findStatus('4 users')
  const chip = (name: RegExp, text: string) => within(rowOf(name)).getByText(text).parentElement
  expect(chip(/dana/, 'Admin')).toHaveClass('MuiChip-colorPrimary')
  expect(chip(/tom/, 'Staff')).toHaveClass('MuiChip-colorSecondary')
  expect(chip(/maria/, 'User')).toHaveClass('MuiChip-colorDefault')
})

it('marks an inactive account', async () => {
  await openUsers()
  await findStatus('4 users')
  expect(rowOf(/linda/)).toHaveTextContent('Inactive')
  expect(rowOf(/maria/)).not.toHaveTextContent('Inactive')
})

it('searches half a second after the last key, and shows the count', async () => {
  await openUsers({ users: [...sampleUsers, ...manyUsers(30)] })
  await findStatus('34 users')
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const box = screen.getByPlaceholderText('Search users...')
  fireEvent.change(box, { target: { value: 'beck' } })
  await act(() => vi.advanceTimersByTimeAsync(400))
  fireEvent.change(box, { target: { value: 'Becker' } })
  await act(() => vi.advanceTimersByTimeAsync(400))
  expect(screen.getByText('34 users')).toBeVisible()
  await act(() => vi.advanceTimersByTimeAsync(150))
  expect(await findStatus('1 user')).toBeVisible()
  expect(shownEmails()).toEqual([tom.email])
  fireEvent.change(box, { target: { value: 'nobody at all' } })
  await act(() => vi.advanceTimersByTimeAsync(550))
  expect(screen.getByText('No users found.')).toBeVisible()
  expect(await findStatus('0 users')).toBeVisible()
})

it('filters by role: All Roles, Admin, User, Staff', async () => {
  await openUsers()
  await findStatus('4 users')
  const filter = screen.getByRole('combobox', { name: 'Role' })
  const choices = within(filter).getAllByRole('option')
  expect(choices.map((choice) => choice.textContent)).toEqual([
    'All Roles',
    'Admin',
    'User',
    'Staff',
  ])
  await userEvent.selectOptions(filter, 'Staff')
  expect(shownEmails()).toEqual([tom.email])
  await userEvent.selectOptions(filter, 'All Roles')
  expect(shownEmails()).toHaveLength(4)
})

it('filters by status: All accounts, Not linked, Inactive', async () => {
  await openUsers()
  await findStatus('4 users')
  const filter = screen.getByRole('combobox', { name: 'Status' })
  const choices = within(filter).getAllByRole('option')
  expect(choices.map((choice) => choice.textContent)).toEqual([
    'All accounts',
    'Not linked',
    'Inactive',
  ])
  await userEvent.selectOptions(filter, 'Not linked')
  expect(shownEmails()).toEqual([tom, dana, linda].map(({ email }) => email))
  await userEvent.selectOptions(filter, 'Inactive')
  expect(shownEmails()).toEqual([linda.email])
})

it('shows the phone number of each account', async () => {
  await openUsers()
  await findStatus('4 users')
  expect(rowOf(/maria/).cells[0]).toHaveTextContent('(619) 555-0134')
})

it('offers to clear a search and the filters that match nobody, and goes to the search box', async () => {
  await openUsers({ at: '?q=nobody&role=STAFF&status=inactive' })
  await findStatus('0 users')
  await userEvent.click(screen.getByRole('button', { name: 'Clear search and filters' }))
  await findStatus('4 users')
  const box = screen.getByPlaceholderText('Search users...')
  expect(box).toHaveValue('')
  expect(box).toHaveFocus()
  expect(screen.getByRole('combobox', { name: 'Role' })).toHaveValue('ALL')
  expect(screen.getByRole('combobox', { name: 'Status' })).toHaveValue('ALL')
})

it.each([
  ['?q=nobody', 'Clear search'],
  ['?role=ADMIN&status=inactive', 'Clear filters'],
])('at %s, offers: %s', async (at, name) => {
  await openUsers({ at, wide: false })
  await findStatus('0 users')
  expect(screen.getByText(/^No users found/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name }))
  await findStatus('4 users')
})

it('sorts by a column, and reverses the order when it is pressed again', async () => {
  await openUsers()
  await findStatus('4 users')
  const heading = (name: RegExp) => screen.getByRole('columnheader', { name })
  expect(heading(/Created at/)).toHaveAttribute('aria-sort', 'descending')
  await userEvent.click(screen.getByRole('button', { name: /Last name/ }))
  expect(shownEmails()).toEqual([maria, tom, linda, dana].map(({ email }) => email))
  expect(heading(/Last name/)).toHaveAttribute('aria-sort', 'ascending')
  await userEvent.click(screen.getByRole('button', { name: /Last name/ }))
  expect(shownEmails()).toEqual([dana, linda, tom, maria].map(({ email }) => email))
  expect(screen.queryByRole('button', { name: /Salesforce ID/ })).toBeNull()
})

it('shows pages of 10 or 25', async () => {
  await openUsers({ users: manyUsers(30) })
  await findStatus('30 users')
  expect(shownEmails()).toHaveLength(10)
  expect(screen.getByText('1–10 of 30')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  expect(screen.getByText('11–20 of 30')).toBeVisible()
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Rows per page:' }), '25')
  expect(screen.getByText('1–25 of 30')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  expect(shownEmails()).toHaveLength(5)
  expect(screen.getByRole('button', { name: 'Next page' })).toHaveAttribute('aria-disabled', 'true')
  await userEvent.click(screen.getByRole('button', { name: 'Previous page' }))
  expect(screen.getByText('1–25 of 30')).toBeVisible()
})

it('keeps a filter chosen just before a sort', async () => {
  await openUsers()
  await findStatus('4 users')
  // Both before React renders the first change.
  act(() => {
    fireEvent.change(screen.getByRole('combobox', { name: 'Role' }), { target: { value: 'USER' } })
    fireEvent.click(screen.getByRole('button', { name: /^Email/ }))
  })
  await findStatus('2 users')
  expect(screen.getByRole('columnheader', { name: /Email/ })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
})

it('shows cards with a sort menu on narrow screens', async () => {
  await openUsers({ wide: false })
  await findStatus('4 users')
  expect(screen.queryByRole('table')).toBeNull()
  const names = () => screen.getAllByRole('heading', { level: 2 }).map((name) => name.textContent)
  expect(names()).toEqual(['Maria Alvarez', 'Tom Becker', 'Dana Okafor', 'Linda Chow'])
  await userEvent.selectOptions(
    screen.getByRole('combobox', { name: 'Sort by' }),
    'Last name, Z to A',
  )
  expect(names()).toEqual(['Dana Okafor', 'Linda Chow', 'Tom Becker', 'Maria Alvarez'])
  await chooseAction('Maria Alvarez', 'Edit')
  expect(await screen.findByRole('dialog', { name: 'Edit User' })).toBeVisible()
})

it('has a menu in each row with exactly Edit and View Documents', async () => {
  await openUsers()
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Maria Alvarez' }))
  const items = await screen.findAllByRole('menuitem')
  expect(items.map((item) => item.textContent)).toEqual(['Edit', 'View Documents'])
})

it('does not let staff edit staff and administrators', async () => {
  await openUsers({ role: 'STAFF' })
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Dana Okafor' }))
  expect(await screen.findByRole('menuitem', { name: /Edit/ })).toHaveAttribute('aria-disabled')
  await userEvent.keyboard('{Escape}')
  await chooseAction('Maria Alvarez', 'Edit')
  expect(await screen.findByRole('dialog', { name: 'Edit User' })).toBeVisible()
})
