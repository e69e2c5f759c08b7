import { noChallenge, verifyLogin, wrongCode } from '@guidon/contract/auth'
import { screens } from '@guidon/contract/screens'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { stubNetwork, renderApp, renderScreen, reply } from '../../../test/test-app.tsx'
import { readPending, storePending } from './pending-verification.ts'
import { VerificationCodePage } from './VerificationCodePage.tsx'

const box = (n: number) => screen.getByRole('textbox', { name: `Digit ${n} of 6` })
const boxes = () => screen.getAllByRole<HTMLInputElement>('textbox')
const shown = () =>
  boxes()
    .map(({ value }) => value)
    .join('')

function open(): void {
  renderScreen(screens.verificationCode, <VerificationCodePage />)
}

async function confirm(code: string): Promise<void> {
  await userEvent.click(box(1))
  await userEvent.keyboard(code)
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
}

beforeEach(() => storePending({ email: 'james.w@example.com', type: 'signin' }))

it('sends the user to /signin when there is no stored email', () => {
  sessionStorage.clear()
  open()
  expect(screen.getByText('At /signin')).toBeVisible()
})

it('shows the email masked only', () => {
  open()
  expect(screen.getByText('jam****@example.com')).toBeVisible()
  expect(document.body).not.toHaveTextContent('james.w@example.com')
})

it('has six boxes that accept autofill of a one-time code', () => {
  open()
  expect(screen.getByRole('group', { name: 'Verification code' })).toBeVisible()
  expect(boxes()).toHaveLength(6)
  for (const input of boxes()) {
    expect(input).toHaveAttribute('autocomplete', 'one-time-code')
    expect(input).toHaveAttribute('inputmode', 'numeric')
    expect(input).not.toHaveAttribute('maxlength')
  }
})

it('has the focus on the first box, and says where the code was sent', async () => {
  open()
  expect(box(1)).toHaveFocus()
  expect(screen.getByRole('group', { name: 'Verification code' })).toHaveAccessibleDescription(
    expect.stringContaining('We sent a six-digit code to jam****@example.com.'),
  )
  expect(document.title).toBe('Check your email – Guidon')
  await userEvent.keyboard('123456')
  expect(shown()).toBe('123456')
})

it.each([
  ['signin', screens.signIn],
  ['signup', screens.signUp],
])('after %s, the link for a wrong email leads back to %s', (type, path) => {
  storePending({ email: 'james.w@example.com', type })
  open()
  const link = screen.getByRole('link', { name: 'Wrong email? Start again' })
  expect(link).toHaveAttribute('href', path)
})

it('keeps the digits when there is no connection, and says so', async () => {
  stubNetwork({ '/auth/verify-login': () => Promise.reject(new TypeError('Failed to fetch')) })
  open()
  await confirm('123456')
  expect(await screen.findByText(/check your internet connection/)).toBeVisible()
  expect(shown()).toBe('123456')
})

it.each([
  ['USER', screens.home],
  ['STAFF', screens.adminDashboard],
  ['ADMIN', screens.adminDashboard],
])('after verification, sends a %s to %s, and clears email and type', async (role, path) => {
  const requests = stubNetwork({ '/auth/verify-login': () => reply(200, { user: { role } }) })
  open()
  await confirm('123456')
  expect(await screen.findByText(`At ${path}`)).toBeVisible()
  const body = { email: 'james.w@example.com', code: '123456' }
  expect(requests).toEqual([{ path: '/auth/verify-login', body }])
  expect(readPending()).toBeUndefined()
})

it('goes to Reset Password after a temporary password', async () => {
  const requests = stubNetwork({
    '/auth/verify-login': () => reply(200, { user: { role: 'USER' }, resetToken: 'a-token' }),
    '/auth/reset-password': () => reply(204),
  })
  renderApp(screens.verificationCode)
  await screen.findByRole('button', { name: 'Confirm' })
  await confirm('123456')
  const own = 'Anchor5!meadow-river'
  await userEvent.click(await screen.findByLabelText('New password'))
  await userEvent.paste(own)
  await userEvent.click(screen.getByLabelText('Confirm password'))
  await userEvent.paste(own)
  await userEvent.click(screen.getByRole('button', { name: 'Reset Password' }))
  expect(await screen.findByRole('heading', { name: 'Password Changed' })).toBeVisible()
  const body = { token: 'a-token', newPassword: own, confirmPassword: own }
  expect(requests.at(-1)).toEqual({ path: '/auth/reset-password', body })
  expect(readPending()).toBeUndefined()
})

it('marks a wrong code, keeps its digits and goes back to the first box', async () => {
  stubNetwork({ '/auth/verify-login': () => reply(400, wrongCode) })
  open()
  await confirm('123456')
  expect(await screen.findByText(wrongCode.message)).toBeVisible()
  expect(shown()).toBe('123456')
  expect(box(1)).toBeInvalid()
  await waitFor(() => expect(box(1)).toHaveFocus())
  expect(document.title).toBe('Error: Check your email – Guidon')
})

it('shows the default message when the server sends none', async () => {
  stubNetwork({ '/auth/verify-login': () => reply(500) })
  open()
  await confirm('123456')
  expect(await screen.findByText(verifyLogin.failure)).toBeVisible()
})

it('offers to sign in again when the sign-in took too long', async () => {
  stubNetwork({ '/auth/verify-login': () => reply(400, noChallenge) })
  open()
  await confirm('123456')
  const link = await screen.findByRole('link', { name: 'Sign in again' })
  expect(link).toHaveAttribute('href', screens.signIn)
})

it('asks for all six digits and focuses the first empty box', async () => {
  const requests = stubNetwork({})
  open()
  await confirm('12')
  expect(screen.getByText('Enter the 6 digits from the email')).toBeVisible()
  expect(box(3)).toHaveFocus()
  for (const alert of screen.getAllByRole('alert')) expect(alert).toBeEmptyDOMElement()
  expect(requests).toEqual([])
})

it('does not submit by itself when the sixth digit arrives', async () => {
  const requests = stubNetwork({})
  open()
  await userEvent.click(box(1))
  await userEvent.paste('123456')
  expect(shown()).toBe('123456')
  expect(requests).toEqual([])
})

it('shows Invalid verification type for an unknown type', async () => {
  storePending({ email: 'james.w@example.com', type: 'pigeon' })
  open()
  await confirm('123456')
  expect(await screen.findByText('Invalid verification type')).toBeVisible()
})

it.each([
  [true, screens.home],
  [false, screens.getStarted],
])('after a sign-up, linked to an existing account: %s, goes to %s', async (linked, next) => {
  storePending({ email: 'maria@example.com', type: 'signup' })
  sessionStorage.setItem('guidon.sign-up', '{}')
  const verified = { salesforceInfo: { linkedToExistingAccount: linked } }
  const requests = stubNetwork({ '/auth/verify-email': () => reply(200, verified) })
  open()
  await confirm('123456')
  expect(await screen.findByText(`At ${next}`)).toBeVisible()
  const body = { email: 'maria@example.com', code: '123456' }
  expect(requests).toEqual([{ path: '/auth/verify-email', body }])
  expect(sessionStorage).toHaveLength(0)
})

it.each([
  ['the default', undefined, 'Failed to verify email code, please try again later.'],
  ["the server's message", wrongCode.message, wrongCode.message],
])('after a sign-up, shows %s when the code is refused', async (_, message, sentence) => {
  storePending({ email: 'maria@example.com', type: 'signup' })
  stubNetwork({ '/auth/verify-email': () => reply(message ? 400 : 500, { code: 'x', message }) })
  open()
  await confirm('123456')
  expect(await screen.findByText(sentence)).toBeVisible()
})
