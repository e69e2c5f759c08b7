import { screens } from '@guidon/contract/screens'
import type { Page } from '@playwright/test'
import { newAccount } from '../../support/outside/account.ts'
import { failRequests } from '../support/failing-requests.ts'
import { enterCode, enterPassword } from '../support/session.ts'
import { fillSignUp } from '../support/sign-up-page.ts'
import { expect } from '../support/test.ts'
import { picture } from './picture.ts'

const expectHeading = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function open(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path)
  await expectHeading(page, name)
}

picture('Sign in', 'empty', ({ page }) => open(page, screens.signIn, 'Welcome Back'))
picture('Sign in', 'errors', async ({ page }) => {
  await open(page, screens.signIn, 'Welcome Back')
  await press(page, 'Sign In')
  await expect(page.getByText('Enter a valid email address')).toBeVisible()
})
picture('Sign in', 'wrong password', async ({ page }) => {
  await open(page, screens.signIn, 'Welcome Back')
  await page.getByLabel('Email').fill('james.whitfield@example.com')
  await page.getByLabel('Password', { exact: true }).fill('Wrong-lantern-42')
  await press(page, 'Sign In')
  await expect(page.getByRole('alert').filter({ hasText: 'do not match' })).toBeVisible()
})
picture('Sign in', 'offline', async ({ page }) => {
  await open(page, screens.signIn, 'Welcome Back')
  await page.context().setOffline(true)
  await expect(page.getByText(/^You are offline/)).toBeVisible()
})
picture('Sign in', 'signed in already', async ({ page, signedIn }) => {
  await signedIn()
  await open(page, screens.signIn, 'Welcome Back')
})

picture('Sign up', 'empty', ({ page }) => open(page, screens.signUp, 'Create Account'))
picture('Sign up', 'errors', async ({ page }) => {
  await open(page, screens.signUp, 'Create Account')
  await press(page, 'Sign Up')
  await expect(page.getByText('First name is required')).toBeVisible()
})
picture('Sign up', 'filled, and failing', async ({ page }) => {
  await failRequests(page, '**/auth/register')
  await open(page, screens.signUp, 'Create Account')
  await fillSignUp(page, newAccount())
  await press(page, 'Sign Up')
  await expect(page.getByText(/^Failed to sign up/)).toBeVisible()
})

picture('Code', 'empty', async ({ page, account }) => enterPassword(page, await account()))
picture('Code', 'wrong code', async ({ page, account }) => {
  await enterPassword(page, await account())
  await enterCode(page, '000000')
  await expect(page.getByText(/^That code is not right/)).toBeVisible()
})
picture('Code', 'resend available', async ({ page, account }) => {
  await page.clock.install()
  await enterPassword(page, await account())
  await page.clock.fastForward('01:01')
  await expect(page.getByRole('button', { name: 'Resend code' })).toBeVisible()
})

picture('Forgot password', 'empty', ({ page }) =>
  open(page, screens.forgotPassword, 'Forgot your password?'),
)
picture('Forgot password', 'error', async ({ page }) => {
  await open(page, screens.forgotPassword, 'Forgot your password?')
  await press(page, 'Request Reset Link')
  await expect(page.getByText('Please enter a valid email address.')).toBeVisible()
})
picture('Forgot password', 'sent', async ({ page }) => {
  await open(page, screens.forgotPassword, 'Forgot your password?')
  await page.getByLabel('Email').fill('james.whitfield@example.com')
  await press(page, 'Request Reset Link')
  await expectHeading(page, 'Email Sent')
})
picture('Reset password', 'without a token', ({ page }) =>
  open(page, screens.resetPassword, 'Reset Password'),
)
picture('Reset password', 'empty', ({ page }) =>
  open(page, `${screens.resetPassword}?token=abc`, 'Reset Password'),
)
picture('Reset password', 'errors', async ({ page }) => {
  await open(page, `${screens.resetPassword}?token=abc`, 'Reset Password')
  await page.getByLabel('New password', { exact: true }).fill('weak')
  await press(page, 'Reset Password')
  await expect(page.getByText('Please fix the password requirements below.')).toBeVisible()
})
picture('Reset password', 'changed', ({ page }) =>
  open(page, screens.resetPasswordSuccess, 'Password Changed'),
)

picture('Messages', 'page not found', ({ page }) => open(page, '/nowhere', 'Page Not Found'))
picture('Messages', 'loading', async ({ page }) => {
  await page.route('**/auth/check-auth', () => {})
  await page.goto(screens.home)
  await expect(page.getByText('Loading…')).toBeVisible()
})
picture('Messages', 'no connection to the account', async ({ page }) => {
  await failRequests(page, '**/auth/check-auth')
  await open(page, screens.home, 'We could not reach your account')
})
picture('Messages', 'a screen while offline', async ({ page }) => {
  await page.route(/SignUpPage/, (route) => route.abort())
  await open(page, screens.signIn, 'Welcome Back')
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expectHeading(page, 'You are offline')
})
picture('Messages', 'a screen after a deploy', async ({ page }) => {
  await page.route(/SignUpPage/, (route) => route.fulfill({ status: 404 }))
  await open(page, screens.signUp, 'This page could not be loaded')
})
