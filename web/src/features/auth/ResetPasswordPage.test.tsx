import { resetLinkVoid, resetPassword } from '@guidon/contract/password'
import { HARD_TO_GUESS, passwordGuessable } from '@guidon/contract/password-strength'
import { screens } from '@guidon/contract/screens'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { stubNetwork, renderApp, reply } from '../../../test/test-app.tsx'

const PATH = '/auth/reset-password'
const STRONG = 'Anchor5!meadow-river'

const newPassword = () => screen.findByLabelText('New password')
const confirmed = () => screen.getByLabelText('Confirm password')
const title = () => document.title

async function open(token = '?token=abc-123'): Promise<void> {
  history.replaceState({ key: 'kept' }, '', screens.resetPassword + token)
  renderApp(screens.resetPassword + token)
  await newPassword()
}

async function submit(first: string, second: string): Promise<void> {
  await userEvent.click(await newPassword())
  await userEvent.paste(first)
  await userEvent.click(confirmed())
  await userEvent.paste(second)
  await userEvent.click(screen.getByRole('button', { name: 'Reset Password' }))
}

afterEach(() => history.replaceState(null, '', '/'))

it('removes the token from the address once the screen is loaded, and keeps it in this tab only', async () => {
  await open()
  expect(location.pathname + location.search).toBe(screens.resetPassword)
  expect(history.state).toEqual({ key: 'kept' })
  expect(Object.values(sessionStorage)).toEqual(['abc-123'])
  expect(localStorage).toHaveLength(0)
  expect(title()).toBe('Reset Password – Guidon')
})

it('still has the token after a reload, until it is used', async () => {
  const requests = stubNetwork({ [PATH]: () => reply(204) })
  await open()
  cleanup()
  await open('')
  await submit(STRONG, STRONG)
  expect(await screen.findByRole('heading', { name: 'Password Changed' })).toBeVisible()
  expect(requests).toMatchObject([{ body: { token: 'abc-123' } }])
  expect(sessionStorage).toHaveLength(0)
})

it('prefers the token of a new link, even a damaged one, to the stored one', async () => {
  await open()
  cleanup()
  renderApp(`${screens.resetPassword}?token=`)
  expect(await screen.findByText('Invalid or missing token.')).toBeVisible()
  expect(sessionStorage).toHaveLength(0)
})

it('sends token and password, and goes to Password Changed', async () => {
  const requests = stubNetwork({ [PATH]: () => reply(204) })
  await open()
  await submit(STRONG, STRONG)
  expect(await screen.findByRole('heading', { name: 'Password Changed' })).toBeVisible()
  const body = { token: 'abc-123', newPassword: STRONG, confirmPassword: STRONG }
  expect(requests).toEqual([{ path: PATH, body }])
  expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', screens.signIn)
  await waitFor(() => expect(title()).toBe('Password Changed – Guidon'))
})

it.each(['', '?token=', `?token=${'x'.repeat(201)}`])(
  'for the query %j shows "Invalid or missing token.", a link to request a new one, and no form',
  async (query) => {
    renderApp(screens.resetPassword + query)
    expect(await screen.findByRole('alert')).toHaveTextContent('Invalid or missing token.')
    const main = within(screen.getByRole('main'))
    const links = [...main.queryAllByRole('link'), ...main.queryAllByRole('button')]
    expect(links.map(({ textContent }) => textContent)).toEqual(['Request a new link'])
    expect(links[0]).toHaveAttribute('href', screens.forgotPassword)
    expect(screen.queryByLabelText('New password')).toBeNull()
    expect(title()).toBe('Error: Reset Password – Guidon')
  },
)

it('asks to fix a password that is too weak by the rules', async () => {
  const requests = stubNetwork({})
  await open()
  await submit('weak', 'weak')
  const field = await newPassword()
  await waitFor(() => expect(field).toHaveFocus())
  expect(field).toHaveAccessibleDescription(
    expect.stringContaining('Please fix the password requirements below.'),
  )
  expect(requests).toEqual([])
})

it('says that the passwords do not match, until the first is changed to match', async () => {
  stubNetwork({})
  await open()
  await submit(STRONG.slice(0, -1), STRONG)
  await waitFor(() => expect(confirmed()).toHaveAccessibleDescription('Passwords do not match'))
  expect(confirmed()).toHaveFocus()
  await userEvent.type(await newPassword(), STRONG.slice(-1))
  await waitFor(() => expect(confirmed()).not.toBeInvalid())
})

it('marks the rule that the server found broken', async () => {
  const fields = { newPassword: 'Please fix the password requirements below.' }
  stubNetwork({ [PATH]: () => reply(422, { ...passwordGuessable, fields }) })
  await open()
  await submit('Password1!', 'Password1!')
  const marked = `${HARD_TO_GUESS}, not met. ${passwordGuessable.message}`
  await waitFor(() => expect(screen.getByText(/not met/).parentElement).toHaveTextContent(marked))
  const field = await newPassword()
  expect(field).toHaveAccessibleDescription(expect.stringContaining(fields.newPassword))
  expect(field).toHaveFocus()
  // The verdict is about the refused text only.
  await userEvent.type(field, 'x')
  await waitFor(() => expect(screen.queryByText(/not met/)).toBeNull())
})

it('says that the link is void, and offers a new one instead of the form', async () => {
  stubNetwork({ [PATH]: () => reply(400, resetLinkVoid) })
  await open()
  await submit(STRONG, STRONG)
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(resetLinkVoid.message))
  const link = screen.getByRole('link', { name: 'Request a new link' })
  expect(link).toHaveAttribute('href', screens.forgotPassword)
  expect(link).toHaveFocus()
  expect(screen.queryByLabelText('New password')).toBeNull()
  expect(sessionStorage).toHaveLength(0)
})

it('keeps what was typed when there is no connection, and says so', async () => {
  stubNetwork({ [PATH]: () => Promise.reject(new TypeError('Failed to fetch')) })
  await open()
  await submit(STRONG, STRONG)
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(/internet connection/))
  expect(await newPassword()).toHaveValue(STRONG)
  expect(confirmed()).toHaveValue(STRONG)
})

it('shows the default message when the server sends none', async () => {
  stubNetwork({ [PATH]: () => reply(500) })
  await open()
  await submit(STRONG, STRONG)
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(resetPassword.failure))
  expect(resetPassword.failure).toBe('Failed to reset password. Please try again later.')
  expect(screen.queryByRole('link', { name: 'Request a new link' })).toBeNull()
})

it('shows and hides each password with its own button', async () => {
  await open()
  await userEvent.click(screen.getByRole('button', { name: 'Show confirmed password' }))
  expect(confirmed()).toHaveAttribute('type', 'text')
  expect(await newPassword()).toHaveAttribute('type', 'password')
  expect(screen.getByRole('button', { name: 'Show new password' })).toBeVisible()
})
