import { LISTING_MAX } from '@guidon/contract/manage-users'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import {
  LISTING_PATH,
  shownEmails,
  FIRST_PAGE_PATH,
  openUsers,
  pageReply,
  sampleUsers,
  findStatus,
} from '../../../test/manage-users.tsx'
import { reply } from '../../../test/test-app.tsx'
import { manyUsers } from './sample-users.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('starts with the view of its address', async () => {
  const users = manyUsers(30)
  await openUsers({ users, at: '?sortBy=email&order=asc&page=3&role=USER' })
  expect(await screen.findByText('21–29 of 29')).toBeVisible()
  expect(shownEmails()[0]).toBe(
    users
      .filter(({ role }) => role === 'USER')
      .map(({ email }) => email)
      .toSorted()[20],
  )
})

it('searches, filters and sorts in the browser after a reload too, and never asks the server', async () => {
  const { requested } = await openUsers({
    at: '?q=becker&role=STAFF&status=notLinked&sortBy=email&order=asc',
  })
  await findStatus('1 user')
  expect(shownEmails()).toEqual(['tom.becker@guidon.example'])
  expect(requested()).toEqual([FIRST_PAGE_PATH, LISTING_PATH])
})

it('keeps the focus where it is while the address changes', async () => {
  await openUsers({ users: manyUsers(30) })
  await findStatus('30 users')
  const next = screen.getByRole('button', { name: 'Next page' })
  await userEvent.click(next)
  await screen.findByText('11–20 of 30')
  expect(next).toHaveFocus()
})

it('shows a failure, and loads on Try again', async () => {
  const { replies } = await openUsers({ replies: { [FIRST_PAGE_PATH]: () => reply(500) } })
  expect(await screen.findByText('Failed to load users. Please try again later.')).toBeVisible()
  replies[FIRST_PAGE_PATH] = () => pageReply(sampleUsers)
  await userEvent.click(screen.getByRole('button', { name: 'Try again to load users' }))
  expect(await findStatus('4 users')).toBeVisible()
})

it('mentions the connection if the server cannot be reached, and loads on Try again', async () => {
  const { replies } = await openUsers({ replies: { [FIRST_PAGE_PATH]: () => Promise.reject() } })
  expect(await screen.findByText(/Please check your internet connection\./)).toBeVisible()
  replies[FIRST_PAGE_PATH] = () => pageReply(sampleUsers)
  await userEvent.click(screen.getByRole('button', { name: 'Try again to load users' }))
  expect(await findStatus('4 users')).toBeVisible()
})

it('pages on the server if the whole listing cannot be fetched', async () => {
  await openUsers({ users: manyUsers(30), replies: { [LISTING_PATH]: () => reply(500) } })
  expect(await screen.findByText(/ask the server, a page at a time/)).toBeVisible()
  expect(shownEmails()).toHaveLength(10)
})

it('pages on the server if there are more accounts than a listing holds, and says so', async () => {
  const users = manyUsers(30)
  const total = LISTING_MAX + 1
  const { requested } = await openUsers({
    users,
    replies: {
      [FIRST_PAGE_PATH]: () => pageReply(users.slice(0, 10), total, 'c10'),
      [`${FIRST_PAGE_PATH}&cursor=c10`]: () => pageReply(users.slice(10, 20), total, 'c20'),
      [`${FIRST_PAGE_PATH}&cursor=c20`]: () => pageReply(users.slice(20, 30), total),
      '/admin/users?sortBy=email&order=asc&limit=10': () =>
        pageReply(users.slice(3, 13), total, 'e10'),
      '/admin/users?sortBy=email&order=asc&limit=10&role=STAFF': () => pageReply([], total),
      '/admin/users?sortBy=email&order=asc&limit=10&role=STAFF&status=inactive': () =>
        pageReply(users.slice(5, 6), total),
    },
  })
  expect(await screen.findByText(/More than 100,000 accounts/)).toBeVisible()
  expect(await findStatus('100,001 users')).toBeVisible()
  const turn = (name: string) => userEvent.click(screen.getByRole('button', { name }))
  await turn('Next page')
  await waitFor(() => expect(shownEmails()[0]).toBe(users[10]!.email))
  await turn('Next page')
  await waitFor(() => expect(shownEmails()[0]).toBe(users[20]!.email))
  expect(screen.getByText('21–30 of 100,001')).toBeVisible()
  await turn('Previous page')
  await waitFor(() => expect(shownEmails()[0]).toBe(users[10]!.email))
  await userEvent.click(screen.getByRole('button', { name: 'Email' }))
  await waitFor(() => expect(shownEmails()[0]).toBe(users[3]!.email))
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'Staff')
  expect(await screen.findByText('No users found.')).toBeVisible()
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Inactive')
  await waitFor(() => expect(shownEmails()).toEqual([users[5]!.email]))
  expect(requested()).not.toContain(LISTING_PATH)
})
