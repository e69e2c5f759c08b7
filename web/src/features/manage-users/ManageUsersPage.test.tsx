import type { Role, SignedInUser } from '@guidon/contract/account'
import { LISTING_MAX, type ManagedUser } from '@guidon/contract/manage-users'
import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { network, renderApp, reply, type Reply } from '../../../test/test-app.tsx'
import { manyUsers, person } from './sample-users.ts'

const me: SignedInUser = {
  role: 'ADMIN',
  email: 'dana@guidon.example',
  firstName: 'Dana',
  lastName: 'Okafor',
  phone: '6195550134',
}

const FIRST = '/admin/users?sortBy=createdAt&order=desc&limit=10'
const ALL = `/admin/users?sortBy=createdAt&order=desc&limit=${LISTING_MAX}`

const maria = person({ id: 'maria', salesforceId: '0035e00001XyAb1', boxFolderId: '281190442718' })
const tom = person({
  id: 'tom',
  email: 'tom.becker@guidon.example',
  firstName: 'Tom',
  lastName: 'Becker',
  role: 'STAFF',
  createdAt: '2026-11-11T09:30:00.000Z',
})
const dana = person({
  id: 'dana',
  email: me.email,
  firstName: 'Dana',
  lastName: 'Okafor',
  role: 'ADMIN',
  createdAt: '2026-11-10T09:30:00.000Z',
})
const linda = person({
  id: 'linda',
  email: 'linda.chow@example.com',
  firstName: 'Linda',
  lastName: 'Chow',
  isActive: false,
  createdAt: '2026-11-09T09:30:00.000Z',
})
const people = [maria, tom, dana, linda]

interface Setting {
  users?: readonly ManagedUser[]
  role?: Role
  at?: string
  wide?: boolean
  replies?: Record<string, Reply>
}

const page = (users: readonly ManagedUser[], total = users.length, next: string | null = null) =>
  reply(200, { users, total, next })

async function open({
  users = people,
  role = 'ADMIN',
  at = '',
  wide = true,
  replies,
}: Setting = {}) {
  vi.stubGlobal('matchMedia', (media: string) => ({
    media,
    matches: wide && media === '(min-width: 900px)',
    addListener: () => {},
    removeListener: () => {},
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  const all: Record<string, Reply> = {
    '/auth/check-auth': () => reply(200, { user: { ...me, role } }),
    [FIRST]: () => page(users.slice(0, 10), users.length, users.length > 10 ? 'c10' : null),
    [ALL]: () => page(users),
    ...replies,
  }
  const made = network(all)
  renderApp(`/admin-dashboard${at}`)
  // The first to come here waits for the screen's code.
  await screen.findByRole('heading', { level: 1, name: 'Manage Users' }, { timeout: 10_000 })
  return {
    replies: all,
    sent: (method: string) => made.filter(({ path }) => path.startsWith(method)),
    asked: () => made.map(({ path }) => path).filter((path) => path.startsWith('/admin/users')),
  }
}

const table = () => screen.getByRole<HTMLTableElement>('table')
const emails = () =>
  Array.from(table().tBodies[0]!.rows, (line) => line.cells[0]!.textContent).filter(
    (text) => text !== 'No users found',
  )
const row = (name: RegExp) =>
  Array.from(table().rows).find((line) => name.test(line.cells[0]!.textContent))!
const status = (text: string) => screen.findByText(text, { selector: 'output' })

async function choose(name: string, action: string): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

// A table takes jsdom long, the more so on a busy machine.
vi.setConfig({ testTimeout: 40_000 })
configure({ asyncUtilTimeout: 8_000 })

beforeEach(() => void vi.stubGlobal('scrollTo', () => {}))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('lists every account, the newest first, with what staff need to know of it', async () => {
  const { asked } = await open()
  await status('4 users')
  expect(emails()).toEqual(people.map(({ email }) => email))
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
  expect(row(/maria/)).toHaveTextContent('AlvarezMariaUserNovember 12, 2026')
  expect(within(row(/maria/)).getByRole('link')).toHaveAttribute(
    'href',
    'https://crm.example/0035e00001XyAb1',
  )
  expect(row(/maria/)).toHaveTextContent('281190442718')
  expect(row(/tom/)).toHaveTextContent('Not linked')
  expect(within(row(/tom/)).queryByRole('link')).toBeNull()
  await waitFor(() => expect(asked()).toEqual([FIRST, ALL]))
})

it('shows the role as a chip: admin primary, staff secondary, user default', async () => {
  await open()
  await status('4 users')
  const chip = (name: RegExp, text: string) => within(row(name)).getByText(text).parentElement
  expect(chip(/dana/, 'Admin')).toHaveClass('MuiChip-colorPrimary')
  expect(chip(/tom/, 'Staff')).toHaveClass('MuiChip-colorSecondary')
  expect(chip(/maria/, 'User')).toHaveClass('MuiChip-colorDefault')
})

it('marks an account that is not active', async () => {
  await open()
  await status('4 users')
  expect(row(/linda/)).toHaveTextContent('Inactive')
  expect(row(/maria/)).not.toHaveTextContent('Inactive')
})

it('searches half a second after the last key, and says how many were found', async () => {
  await open({ users: [...people, ...manyUsers(30)] })
  await status('34 users')
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const box = screen.getByPlaceholderText('Search users...')
  fireEvent.change(box, { target: { value: 'beck' } })
  await act(() => vi.advanceTimersByTimeAsync(400))
  fireEvent.change(box, { target: { value: 'Becker' } })
  await act(() => vi.advanceTimersByTimeAsync(400))
  expect(screen.getByText('34 users')).toBeVisible()
  await act(() => vi.advanceTimersByTimeAsync(150))
  expect(await status('1 user')).toBeVisible()
  expect(emails()).toEqual([tom.email])
  fireEvent.change(box, { target: { value: 'nobody at all' } })
  await act(() => vi.advanceTimersByTimeAsync(550))
  expect(screen.getByText('No users found')).toBeVisible()
  expect(await status('0 users')).toBeVisible()
})

it('filters by role: All Roles, Admin, User, Staff', async () => {
  await open()
  await status('4 users')
  const filter = screen.getByRole('combobox', { name: 'Role' })
  const choices = within(filter).getAllByRole('option')
  expect(choices.map((choice) => choice.textContent)).toEqual([
    'All Roles',
    'Admin',
    'User',
    'Staff',
  ])
  await userEvent.selectOptions(filter, 'Staff')
  expect(emails()).toEqual([tom.email])
  await userEvent.selectOptions(filter, 'All Roles')
  expect(emails()).toHaveLength(4)
})

it('sorts by each sortable column, and the other way round when it is pressed again', async () => {
  await open()
  await status('4 users')
  const heading = (name: RegExp) => screen.getByRole('columnheader', { name })
  expect(heading(/Created at/)).toHaveAttribute('aria-sort', 'descending')
  await userEvent.click(screen.getByRole('button', { name: /Last name/ }))
  expect(emails()).toEqual([maria, tom, linda, dana].map(({ email }) => email))
  expect(heading(/Last name/)).toHaveAttribute('aria-sort', 'ascending')
  await userEvent.click(screen.getByRole('button', { name: /Last name/ }))
  expect(emails()).toEqual([dana, linda, tom, maria].map(({ email }) => email))
  expect(screen.queryByRole('button', { name: /Salesforce ID/ })).toBeNull()
})

it('shows pages of 10 or 25', async () => {
  await open({ users: manyUsers(30) })
  await status('30 users')
  expect(emails()).toHaveLength(10)
  expect(screen.getByText('1–10 of 30')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  expect(screen.getByText('11–20 of 30')).toBeVisible()
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Rows per page:' }), '25')
  expect(screen.getByText('1–25 of 30')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  expect(emails()).toHaveLength(5)
  expect(screen.getByRole('button', { name: 'Next page' })).toHaveAttribute('aria-disabled', 'true')
  await userEvent.click(screen.getByRole('button', { name: 'Previous page' }))
  expect(screen.getByText('1–25 of 30')).toBeVisible()
})

it('begins with the view of its address, and asks the server until all accounts are there', async () => {
  const users = manyUsers(30)
  const { asked } = await open({ users, at: '?sortBy=email&order=asc&page=3&role=USER' })
  expect(await screen.findByText('21–29 of 29')).toBeVisible()
  expect(emails()[0]).toBe(
    users
      .filter(({ role }) => role === 'USER')
      .map(({ email }) => email)
      .toSorted()[20],
  )
  expect(asked()).toContain('/admin/users?sortBy=email&order=asc&limit=10&role=USER')
})

it('keeps the focus where it is while the address changes', async () => {
  await open({ users: manyUsers(30) })
  await status('30 users')
  const next = screen.getByRole('button', { name: 'Next page' })
  await userEvent.click(next)
  await screen.findByText('11–20 of 30')
  expect(next).toHaveFocus()
})

it('fails with a sentence, and is tried again', async () => {
  const { replies } = await open({ replies: { [FIRST]: () => reply(500) } })
  expect(await screen.findByText('Failed to load users. Please try again later.')).toBeVisible()
  replies[FIRST] = () => page(people)
  await userEvent.click(screen.getByRole('button', { name: 'Try again to load users' }))
  expect(await status('4 users')).toBeVisible()
})

it('goes on page by page where the whole listing cannot be fetched', async () => {
  await open({ users: manyUsers(30), replies: { [ALL]: () => reply(500) } })
  expect(await screen.findByText(/ask the server, a page at a time/)).toBeVisible()
  expect(emails()).toHaveLength(10)
})

it('asks the server where there are more accounts than a listing holds, and says so', async () => {
  const users = manyUsers(30)
  const total = LISTING_MAX + 1
  const { asked } = await open({
    users,
    replies: {
      [FIRST]: () => page(users.slice(0, 10), total, 'c10'),
      [`${FIRST}&cursor=c10`]: () => page(users.slice(10, 20), total, 'c20'),
      [`${FIRST}&cursor=c20`]: () => page(users.slice(20, 30), total),
      '/admin/users?sortBy=email&order=asc&limit=10': () => page(users.slice(3, 13), total, 'e10'),
      '/admin/users?sortBy=email&order=asc&limit=10&role=STAFF': () => page([], total),
    },
  })
  expect(await screen.findByText(/More than 100,000 accounts/)).toBeVisible()
  expect(await status('100,001 users')).toBeVisible()
  const turn = (name: string) => userEvent.click(screen.getByRole('button', { name }))
  await turn('Next page')
  await waitFor(() => expect(emails()[0]).toBe(users[10]!.email))
  await turn('Next page')
  await waitFor(() => expect(emails()[0]).toBe(users[20]!.email))
  expect(screen.getByText('21–30 of 100,001')).toBeVisible()
  await turn('Previous page')
  await waitFor(() => expect(emails()[0]).toBe(users[10]!.email))
  await userEvent.click(screen.getByRole('button', { name: 'Email' }))
  await waitFor(() => expect(emails()[0]).toBe(users[3]!.email))
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'Staff')
  expect(await screen.findByText('No users found')).toBeVisible()
  expect(asked()).not.toContain(ALL)
})

it('has cards with a choice of the order where there is no room for a table', async () => {
  await open({ wide: false })
  await status('4 users')
  expect(screen.queryByRole('table')).toBeNull()
  const names = () => screen.getAllByRole('heading', { level: 2 }).map((name) => name.textContent)
  expect(names()).toEqual(['Maria Alvarez', 'Tom Becker', 'Dana Okafor', 'Linda Chow'])
  await userEvent.selectOptions(
    screen.getByRole('combobox', { name: 'Sort by' }),
    'Last name, Z to A',
  )
  expect(names()).toEqual(['Dana Okafor', 'Linda Chow', 'Tom Becker', 'Maria Alvarez'])
  await choose('Maria Alvarez', 'Edit')
  expect(await screen.findByRole('dialog', { name: 'Edit User' })).toBeVisible()
})

it('has a menu with exactly Edit and View Documents', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Maria Alvarez' }))
  const items = await screen.findAllByRole('menuitem')
  expect(items.map((item) => item.textContent)).toEqual(['Edit', 'View Documents'])
})

it('does not offer staff to edit staff and administrators', async () => {
  await open({ role: 'STAFF' })
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Dana Okafor' }))
  expect(await screen.findByRole('menuitem', { name: /Edit/ })).toHaveAttribute('aria-disabled')
  await userEvent.keyboard('{Escape}')
  await choose('Maria Alvarez', 'Edit')
  expect(await screen.findByRole('dialog', { name: 'Edit User' })).toBeVisible()
})
