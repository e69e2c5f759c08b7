import type { SignedInUser } from '@guidon/contract/account'
import { login, logout, wrongCredentials } from '@guidon/contract/auth'
import { screens } from '@guidon/contract/screens'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { james } from '../../../test/signed-in.ts'
import { stubNetwork, renderScreen, reply, type Reply } from '../../../test/test-app.tsx'
import { readPending } from './pending-verification.ts'
import { SignInPage } from './SignInPage.tsx'

const email = () => screen.getByLabelText('Email')
const password = () => screen.getByLabelText('Password')
const button = () => screen.getByRole('button', { name: 'Sign In' })

const CHECK = '/auth/check-auth'
const signedInAs =
  (user: SignedInUser): Reply =>
  () =>
    reply(200, { user })
const notice = () => screen.queryByText(/^You are signed in as/)

function open(): void {
  renderScreen(screens.signIn, <SignInPage />)
}

/** The requests except the check for an open session. */
function stub(replies: Record<string, Reply>): () => { path: string; body: unknown }[] {
  const requests = stubNetwork(replies)
  return () => requests.filter(({ path }) => path !== CHECK)
}

async function signIn(): Promise<void> {
  await userEvent.type(email(), ' James.W@Example.com')
  await userEvent.type(password(), 'secret12')
  await userEvent.click(button())
}

it('clears all browser-stored data on load', () => {
  localStorage.setItem('left', 'behind')
  sessionStorage.setItem('left', 'behind')
  open()
  expect(localStorage).toHaveLength(0)
  expect(sessionStorage).toHaveLength(0)
})

it('has a heading, the two links and autocomplete for a password manager', () => {
  open()
  expect(screen.getByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/signup')
  const forgot = screen.getByRole('link', { name: 'Forgot password?' })
  expect(forgot).toHaveAttribute('href', '/forgot-password')
  expect(email()).toHaveAttribute('autocomplete', 'username')
  expect(password()).toHaveAttribute('autocomplete', 'current-password')
  expect(document.title).toBe('Sign In – Guidon')
})

it('shows errors on submit, focuses the first invalid field, then validates while typing', async () => {
  const requests = stub({})
  open()
  await userEvent.type(email(), 'james')
  await userEvent.type(password(), '12345')
  expect(screen.queryByText('Enter a valid email address')).toBeNull()
  await userEvent.click(button())
  expect(email()).toHaveAccessibleDescription('Enter a valid email address')
  expect(password()).toHaveAccessibleDescription('Password must be at least 6 characters long')
  expect(email()).toHaveFocus()
  expect(document.title).toBe('Error: Sign In – Guidon')
  await userEvent.type(email(), '@example.com')
  await waitFor(() => expect(email()).not.toBeInvalid())
  expect(password()).toBeInvalid()
  expect(requests()).toEqual([])
})

it('sends the email lowercased, stores email and type, and goes to the code page', async () => {
  const requests = stub({ '/auth/login': () => reply(204) })
  open()
  await signIn()
  expect(await screen.findByText(`At ${screens.verificationCode}`)).toBeVisible()
  expect(requests()).toEqual([
    { path: '/auth/login', body: { email: 'james.w@example.com', password: 'secret12' } },
  ])
  expect(readPending()).toEqual({ email: 'james.w@example.com', type: 'signin' })
})

it("shows the server's message and keeps the input", async () => {
  stubNetwork({ '/auth/login': () => reply(400, wrongCredentials) })
  open()
  await signIn()
  expect(await screen.findByText(wrongCredentials.message)).toBeVisible()
  expect(screen.getByText(wrongCredentials.message).closest('[role=alert]')).not.toBeNull()
  expect(email()).toHaveValue('James.W@Example.com')
  expect(password()).toHaveValue('secret12')
  expect(document.title).toBe('Error: Sign In – Guidon')
})

it('shows the default message when the server sends none', async () => {
  stubNetwork({ '/auth/login': () => reply(500) })
  open()
  await signIn()
  expect(await screen.findByText(login.failure)).toBeVisible()
})

it('puts the messages of a 422 under their fields', async () => {
  const fields = { email: 'Enter a valid email address' }
  stubNetwork({ '/auth/login': () => reply(422, { code: 'invalid_input', fields }) })
  open()
  await signIn()
  await waitFor(() => expect(email()).toHaveAccessibleDescription(fields.email))
})

it('ignores a second press while busy, and keeps its label and focus', async () => {
  const requests = stub({ '/auth/login': () => new Promise<Response>(() => {}) })
  open()
  await signIn()
  await userEvent.click(button())
  expect(button()).toHaveAttribute('aria-busy', 'true')
  expect(button()).toHaveFocus()
  expect(requests()).toHaveLength(1)
})

it('shows and hides the password', async () => {
  open()
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect(password()).toHaveAttribute('type', 'text')
  const hide = screen.getByRole('button', { name: 'Hide password' })
  expect(hide).toHaveAttribute('aria-controls', password().id)
  await userEvent.click(hide)
  expect(password()).toHaveAttribute('type', 'password')
})

it.each([
  ['USER', screens.home],
  ['STAFF', screens.adminDashboard],
  ['ADMIN', screens.adminDashboard],
] as const)('shows that a %s is still signed in, with a link to %s', async (role, path) => {
  stubNetwork({ [CHECK]: signedInAs({ ...james, role }) })
  open()
  const link = await screen.findByRole('link', { name: 'Go to your dashboard' })
  expect(link).toHaveAttribute('href', path)
  expect(notice()?.closest('[role=status]')).toHaveTextContent('You are signed in as James')
  expect(screen.getByRole('button', { name: 'Log out' })).toBeVisible()
  expect(email()).toBeVisible()
  expect(sessionStorage).toHaveLength(0)
})

it('logs out from the notice of an open session: it disappears, the form stays, and the focus is not lost', async () => {
  const replies: Record<string, Reply> = {
    [CHECK]: signedInAs(james),
    [logout.path]: () => reply(204),
  }
  const requests = stub(replies)
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }))
  expect(await screen.findByText('You are logged out.')).toBeVisible()
  expect(notice()).toBeNull()
  expect(requests()).toEqual([{ path: logout.path, body: undefined }])
  expect(document.activeElement).toHaveTextContent('You are logged out.')
})

it('stays signed in, and says so, when logging out fails', async () => {
  stubNetwork({ [CHECK]: signedInAs(james), [logout.path]: () => reply(500) })
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }))
  expect(await screen.findByText(logout.failure)).toBeVisible()
  expect(notice()).toBeVisible()
})

it.each<[string, Reply]>([
  ['no session', () => reply(401)],
  ['a server that fails', () => reply(503)],
  ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
])('shows only the form with %s', async (_, checkReply) => {
  const requests = stubNetwork({ [CHECK]: checkReply })
  open()
  await waitFor(() => expect(requests[0]?.path).toBe(CHECK))
  await act(async () => {})
  expect(notice()).toBeNull()
  expect(screen.queryByRole('button', { name: 'Log out' })).toBeNull()
  expect(document.querySelector('[role=alert]:not(:empty)')).toBeNull()
})

it.each([
  [
    'Back restores the page',
    () => fireEvent(window, new PageTransitionEvent('pageshow', { persisted: true })),
  ],
  ['the tab is shown again', () => fireEvent(document, new Event('visibilitychange'))],
])('checks for an open session again when %s', async (_, show) => {
  const replies: Record<string, Reply> = { [CHECK]: () => reply(404) }
  stubNetwork(replies)
  open()
  replies[CHECK] = signedInAs(james)
  show()
  expect(await screen.findByText(/^You are signed in as/)).toBeVisible()
  replies[CHECK] = () => reply(404)
  show()
  await waitFor(() => expect(notice()).toBeNull())
})

it('mentions the connection when there is none, and keeps what was typed', async () => {
  stubNetwork({ [login.path]: () => Promise.reject(new TypeError('Failed to fetch')) })
  open()
  await signIn()
  expect(await screen.findByText(/check your internet connection/)).toHaveTextContent(login.failure)
  expect(email()).toHaveValue('James.W@Example.com')
  expect(password()).toHaveValue('secret12')
})
