import { login, wrongCredentials } from '@guidon/contract/auth'
import { screens } from '@guidon/contract/screens'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { stubNetwork, renderScreen, reply } from '../../../test/test-app.tsx'
import { readPending } from './pending-verification.ts'
import { SignInPage } from './SignInPage.tsx'

const email = () => screen.getByLabelText('Email')
const password = () => screen.getByLabelText('Password')
const button = () => screen.getByRole('button', { name: 'Sign In' })

function open(): void {
  renderScreen(screens.signIn, <SignInPage />)
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
  const requests = stubNetwork({})
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
  expect(requests).toEqual([])
})

it('sends the email lowercased, stores email and type, and goes to the code page', async () => {
  const requests = stubNetwork({ '/auth/login': () => reply(204) })
  open()
  await signIn()
  expect(await screen.findByText(`At ${screens.verificationCode}`)).toBeVisible()
  expect(requests).toEqual([
    { path: '/auth/login', body: { email: 'james.w@example.com', password: 'secret12' } },
  ])
  expect(readPending()).toEqual({ email: 'james.w@example.com', type: 'signin' })
})

it("shows the server's message and keeps the input", async () => {
  stubNetwork({ '/auth/login': () => reply(400, wrongCredentials) })
  open()
  await signIn()
  expect(await screen.findByText(wrongCredentials.message)).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent(wrongCredentials.message)
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
  const requests = stubNetwork({ '/auth/login': () => new Promise<Response>(() => {}) })
  open()
  await signIn()
  await userEvent.click(button())
  expect(button()).toHaveAttribute('aria-busy', 'true')
  expect(button()).toHaveFocus()
  expect(requests).toHaveLength(1)
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
