import { resetLinkVoid, resetPassword } from '@guidon/contract/password'
import { screens } from '@guidon/contract/screens'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { stubNetwork, renderApp, reply } from '../../../test/test-app.tsx'

const PATH = '/auth/reset-password'
const STRONG = 'Anchor5!meadow-river'

const chosen = () => screen.findByLabelText('New password')
const confirmed = () => screen.getByLabelText('Confirm password')
const title = () => document.title

async function open(token = '?token=abc-123'): Promise<void> {
  history.replaceState({ key: 'kept' }, '', screens.resetPassword + token)
  renderApp(screens.resetPassword + token)
  await chosen()
}

async function submit(first: string, second: string): Promise<void> {
  await userEvent.click(await chosen())
  await userEvent.paste(first)
  await userEvent.click(confirmed())
  await userEvent.paste(second)
  await userEvent.click(screen.getByRole('button', { name: 'Reset Password' }))
}

afterEach(() => history.replaceState(null, '', '/'))

it('removes the token from the address at once, and stores it nowhere', async () => {
  await open()
  expect(location.pathname + location.search).toBe(screens.resetPassword)
  expect(history.state).toEqual({ key: 'kept' })
  expect([sessionStorage.length, localStorage.length]).toEqual([0, 0])
  expect(title()).toBe('Reset Password – Guidon')
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
  'shows Invalid or missing token. with %j and does not submit',
  async (query) => {
    const requests = stubNetwork({})
    await open(query)
    const [notice] = screen.getAllByRole('alert')
    expect(notice).toHaveTextContent('Invalid or missing token.')
    const link = screen.getByRole('link', { name: 'Request a new link' })
    expect(link).toHaveAttribute('href', screens.forgotPassword)
    expect(title()).toBe('Error: Reset Password – Guidon')
    await submit(STRONG, STRONG)
    await waitFor(() => expect(notice?.parentElement).toHaveFocus())
    expect(requests).toEqual([])
  },
)

it.each([
  ['too weak by the rules', 'weak'],
  ['easy to guess', 'Password1!'],
])('asks to fix a password that is %s', async (_, weak) => {
  const requests = stubNetwork({})
  await open()
  await submit(weak, weak)
  const field = await chosen()
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
  await userEvent.type(await chosen(), STRONG.slice(-1))
  await waitFor(() => expect(confirmed()).not.toBeInvalid())
})

it('says that the link is void, and offers a new one', async () => {
  stubNetwork({ [PATH]: () => reply(400, resetLinkVoid) })
  await open()
  await submit(STRONG, STRONG)
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(resetLinkVoid.message))
  const link = screen.getByRole('link', { name: 'Request a new link' })
  expect(link).toHaveAttribute('href', screens.forgotPassword)
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
  expect(await chosen()).toHaveAttribute('type', 'password')
  expect(screen.getByRole('button', { name: 'Show new password' })).toBeVisible()
})
