import { forgotPassword } from '@guidon/contract/password'
import { screens } from '@guidon/contract/screens'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { stubNetwork, renderScreen, reply } from '../../../test/test-app.tsx'
import { ForgotPasswordPage } from './ForgotPasswordPage.tsx'
import { readResetEmail } from './reset-email.ts'

const PATH = '/auth/forgot-password'
const email = () => screen.getByLabelText('Email')

function open(): void {
  renderScreen(screens.forgotPassword, <ForgotPasswordPage />)
}

async function request(address: string): Promise<void> {
  await userEvent.type(email(), address)
  await userEvent.click(screen.getByRole('button', { name: 'Request Reset Link' }))
}

it('needs an email with @', async () => {
  const requests = stubNetwork({})
  open()
  await request('james')
  expect(email()).toHaveAccessibleDescription('Please enter a valid email address.')
  expect(email()).toHaveFocus()
  expect(email()).toHaveValue('james')
  expect(document.title).toBe('Error: Forgot Password – Guidon')
  expect(requests).toEqual([])
})

it('sends the email and goes to the page that says where the link was sent', async () => {
  const requests = stubNetwork({ [PATH]: () => reply(202) })
  open()
  await request('James.W@Example.com')
  expect(await screen.findByText(`At ${screens.forgotPasswordSent}`)).toBeVisible()
  expect(requests).toEqual([{ path: PATH, body: { email: 'james.w@example.com' } }])
  expect(readResetEmail()).toBe('james.w@example.com')
})

it.each([
  ['the default when the server says nothing', undefined, forgotPassword.failure],
  ["the server's message", 'Please wait a few minutes.', 'Please wait a few minutes.'],
])('stays on the page and shows %s', async (_, message, shown) => {
  stubNetwork({ [PATH]: () => reply(503, { code: 'too_busy', message }) })
  open()
  await request('james.w@example.com')
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(shown))
  expect(email()).toHaveValue('james.w@example.com')
  expect(readResetEmail()).toBeUndefined()
})

it('keeps the email when there is no connection, and says so', async () => {
  stubNetwork({ [PATH]: () => Promise.reject(new TypeError('Failed to fetch')) })
  open()
  await request('james.w@example.com')
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(/internet connection/))
  expect(email()).toHaveValue('james.w@example.com')
})

it('has the default message of the specification, and a link back', () => {
  open()
  expect(forgotPassword.failure).toBe('Failed to send email. Please try again later.')
  const back = screen.getByRole('link', { name: 'Back to sign in' })
  expect(back).toHaveAttribute('href', screens.signIn)
})
