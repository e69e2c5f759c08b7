import type { SignedInUser } from '@guidon/contract/account'
import { checkAuth, logout } from '@guidon/contract/auth'
import { noSession } from '@guidon/contract/refusal'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { james as veteran } from '../../test/signed-in.ts'
import { stubNetwork, renderApp, reply, type Reply } from '../../test/test-app.tsx'
import { call } from '../api/call.ts'

const signedInAs =
  (user: SignedInUser): Reply =>
  () =>
    reply(200, { user })
const signInPage = () => screen.findByRole('heading', { name: 'Welcome Back' })

it('redirects / to /signin', async () => {
  renderApp('/')
  expect(await signInPage()).toBeVisible()
})

it('shows Page Not Found with a link home for any other path', async () => {
  renderApp('/nowhere')
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go Home' })).toHaveAttribute('href', '/signin')
  expect(document.title).toBe('Page Not Found – Guidon')
})

it('redirects a USER from /dashboard to /dashboard/home, and focuses its heading', async () => {
  stubNetwork({ '/auth/check-auth': signedInAs(veteran) })
  renderApp('/dashboard')
  const welcome = { level: 1, name: 'Welcome, James' }
  const heading = await screen.findByRole('heading', welcome)
  await waitFor(() => expect(heading).toHaveFocus())
  expect(document.title).toBe('Home – Guidon')
  expect(screen.getByText('(619) 555-0134')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page')
})

it('shows /get-started with Log out to a USER who has not sent an intake', async () => {
  const intake = {
    data: {},
    step: 'initialInfo',
    editedAt: {},
    savedAt: '2026-11-15T15:42:00.000Z',
    submittedAt: null,
    linkedToExistingAccount: false,
    version: 1,
  }
  stubNetwork({
    '/auth/check-auth': signedInAs(veteran),
    '/auth/logout': () => reply(204),
    '/salesforce/get-started/me': () => reply(200, intake),
  })
  renderApp('/get-started')
  const first = { level: 1, name: 'More About You' }
  expect(await screen.findByRole('heading', first)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Log out' }))
  expect(await signInPage()).toBeVisible()
})

it.each([
  ['/signup', 'Create Account'],
  ['/forgot-password', 'Forgot your password?'],
  ['/forgot-password-sent', 'Email Sent'],
  ['/reset-password', 'Reset Password'],
  ['/reset-password-success', 'Password Changed'],
])('shows %s to anyone', async (path, name) => {
  const requests = stubNetwork({})
  renderApp(path)
  expect(await screen.findByRole('heading', { level: 1, name })).toBeVisible()
  expect(requests).toEqual([])
})

it.each(['ADMIN', 'STAFF'] as const)('shows Manage Users to %s', async (role) => {
  stubNetwork({ '/auth/check-auth': signedInAs({ ...veteran, role }) })
  renderApp('/admin-dashboard')
  const heading = { name: 'Manage Users' }
  expect(await screen.findByRole('heading', heading)).toBeVisible()
  expect(screen.getByText(veteran.email)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Log out' })).toBeVisible()
})

it.each([
  ['USER', '/admin-dashboard'],
  ['STAFF', '/dashboard/home'],
  ['ADMIN', '/get-started'],
] as const)('redirects a %s from %s to /signin', async (role, path) => {
  stubNetwork({ '/auth/check-auth': signedInAs({ ...veteran, role }) })
  renderApp(path)
  expect(await signInPage()).toBeVisible()
})

it('redirects a visitor without a session to /signin', async () => {
  const requests = stubNetwork({
    '/auth/check-auth': () => reply(401),
    '/auth/refresh': () => reply(401),
  })
  renderApp('/dashboard/home')
  expect(await signInPage()).toBeVisible()
  expect(requests.map(({ path }) => path)).toContain('/auth/refresh')
  expect(screen.queryByText(noSession.message)).toBeNull()
})

it('says at /signin that the session has ended when it ended while in use', async () => {
  const replies: Record<string, Reply> = { '/auth/check-auth': signedInAs(veteran) }
  stubNetwork(replies)
  renderApp('/dashboard/home')
  await screen.findByText('Welcome, James')
  replies['/auth/check-auth'] = () => reply(401)
  replies['/auth/refresh'] = () => reply(401)
  await act(() => expect(call(checkAuth)).rejects.toThrow(checkAuth.failure))
  expect(await signInPage()).toBeVisible()
  expect(screen.getByText(noSession.message)).toBeVisible()
})

it('leaves the screen of an account when another one is signed in with this browser', async () => {
  const replies: Record<string, Reply> = { '/auth/check-auth': signedInAs(veteran) }
  stubNetwork(replies)
  renderApp('/dashboard/home')
  await screen.findByText('Welcome, James')
  replies['/auth/check-auth'] = signedInAs({
    ...veteran,
    firstName: 'Maria',
    email: 'm@example.com',
  })
  fireEvent(window, new PageTransitionEvent('pageshow', { persisted: true }))
  expect(await signInPage()).toBeVisible()
  expect(screen.queryByText(/^Welcome, /)).toBeNull()
})

it.each<[string, Reply]>([
  ['a 503', () => reply(503)],
  ['a network error', () => Promise.reject(new TypeError('Failed to fetch'))],
])('does not redirect on %s, and offers to try again', async (_, checkReply) => {
  sessionStorage.setItem('draft', 'kept')
  const replies = { '/auth/check-auth': checkReply }
  stubNetwork(replies)
  renderApp('/dashboard/home')
  expect(await screen.findByText(checkAuth.failure)).toBeVisible()
  replies['/auth/check-auth'] = signedInAs(veteran)
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Welcome, James')).toBeVisible()
  expect(sessionStorage.getItem('draft')).toBe('kept')
})

it('does not redirect when the refresh fails with a 503', async () => {
  stubNetwork({ '/auth/check-auth': () => reply(401), '/auth/refresh': () => reply(503) })
  renderApp('/dashboard/home')
  expect(await screen.findByText(checkAuth.failure)).toBeVisible()
})

it('logs out to /signin', async () => {
  const requests = stubNetwork({
    '/auth/check-auth': signedInAs(veteran),
    '/auth/logout': () => reply(204),
  })
  renderApp('/dashboard/home')
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }))
  expect(await signInPage()).toBeVisible()
  expect(requests.map(({ path }) => path)).toContain('/auth/logout')
})

it('stays on the screen and shows the failure when logging out fails', async () => {
  stubNetwork({ '/auth/check-auth': signedInAs(veteran), '/auth/logout': () => reply(500) })
  renderApp('/dashboard/home')
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }))
  const message = await screen.findByText(logout.failure)
  expect(screen.getByText('Welcome, James')).toBeVisible()
  // The focus scrolls it into view.
  await waitFor(() => expect(document.activeElement).toContainElement(message))
})

it.each<[string, Reply, () => Promise<unknown>]>([
  ['is over', () => reply(401), signInPage],
  ['is still open', signedInAs(veteran), () => screen.findByText('Welcome, James')],
  ['cannot be checked', () => reply(503), () => screen.findByText(checkAuth.failure)],
])(
  'hides a page that Back restored until its session is checked: the session %s',
  async (_, next, shown) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const replies: Record<string, Reply> = { '/auth/check-auth': signedInAs(veteran) }
    stubNetwork(replies)
    renderApp('/dashboard/home')
    await screen.findByText('Welcome, James')
    replies['/auth/check-auth'] = async () => {
      await released
      return next()
    }
    replies['/auth/refresh'] = () => reply(401)
    fireEvent(window, new PageTransitionEvent('pageshow', { persisted: true }))
    expect(screen.queryByText('Welcome, James')).toBeNull()
    expect(screen.getByText('Loading…')).toBeVisible()
    release()
    expect(await shown()).toBeVisible()
  },
)

it('does not return to /signin when its session check ends after the visitor left it', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const requests = stubNetwork({
    '/auth/check-auth': () => reply(401),
    '/auth/refresh': () => promise,
  })
  renderApp('/signin')
  await waitFor(() => expect(requests.map(({ path }) => path)).toContain('/auth/refresh'))
  await userEvent.click(screen.getByRole('link', { name: 'Forgot password?' }))
  const heading = await screen.findByRole('heading', { name: 'Forgot your password?' })
  await act(async () => resolve(reply(401)))
  expect(heading).toBeVisible()
})

it('leads from Page Not Found to the notice of an open session', async () => {
  stubNetwork({ '/auth/check-auth': signedInAs(veteran) })
  renderApp('/nowhere')
  await userEvent.click(await screen.findByRole('link', { name: 'Go Home' }))
  expect(await screen.findByText(/You are signed in as/)).toBeVisible()
})
