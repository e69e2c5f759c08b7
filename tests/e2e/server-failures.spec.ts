import type { Page } from '@playwright/test'
import { newAccount } from './support/account.ts'
import { failRequests } from './support/failing-requests.ts'
import { enterCode, openHome } from './support/session.ts'
import { fillSignUp } from './support/sign-up-page.ts'
import { expect, test } from './support/test.ts'

const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

/** Opens the page that asks for a code, as after entering a password. */
async function openCodePage(page: Page, type: string): Promise<void> {
  await page.goto('/signin')
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  const pending = JSON.stringify({ email: 'james@example.com', type })
  await page.evaluate((value) => sessionStorage.setItem('guidon.verification', value), pending)
  await page.goto('/verification-code')
}

test.describe('a server that fails without a message', { tag: '@desktop-only' }, () => {
  test('shows: Failed to sign in, please try again later.', async ({ page }) => {
    await failRequests(page, '**/auth/login')
    await page.goto('/signin')
    await page.getByLabel('Email').fill('james@example.com')
    await page.getByLabel('Password', { exact: true }).fill('Copper7!lantern')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(alert(page, 'Failed to sign in, please try again later.')).toBeVisible()
  })

  test('shows: Failed to sign up, please try again later.', async ({ page }) => {
    await failRequests(page, '**/auth/register')
    await page.goto('/signup')
    await fillSignUp(page, newAccount())
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(alert(page, 'Failed to sign up, please try again later.')).toBeVisible()
  })

  test('shows: Failed to send email. Please try again later.', async ({ page }) => {
    await failRequests(page, '**/auth/forgot-password')
    await page.goto('/forgot-password')
    await page.getByLabel('Email').fill('james@example.com')
    await page.getByRole('button', { name: 'Request Reset Link' }).click()
    await expect(alert(page, 'Failed to send email. Please try again later.')).toBeVisible()
  })

  test('shows: Failed to reset password. Please try again later.', async ({ page }) => {
    await failRequests(page, '**/auth/reset-password')
    await page.goto('/reset-password?token=abc')
    await page.getByLabel('New password', { exact: true }).fill('Anchor5!meadow-river')
    await page.getByLabel('Confirm password', { exact: true }).fill('Anchor5!meadow-river')
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await expect(alert(page, 'Failed to reset password. Please try again later.')).toBeVisible()
  })

  for (const [type, url, message] of [
    ['login', '**/auth/verify-login', 'Failed to verify sign in code, please try again later.'],
    ['email', '**/auth/verify-email', 'Failed to verify email code, please try again later.'],
  ] as const) {
    test(`shows: ${message}`, async ({ page }) => {
      await failRequests(page, url)
      await openCodePage(page, type)
      await enterCode(page, '123456')
      await expect(alert(page, message)).toBeVisible()
    })
  }

  test('shows: Failed to logout, please try again later.', async ({ page, signedIn }) => {
    await signedIn()
    await openHome(page)
    await failRequests(page, '**/auth/logout')
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(alert(page, 'Failed to logout, please try again later.')).toBeVisible()
  })
})

test('an invalid verification type has its message', { tag: '@desktop-only' }, async ({ page }) => {
  await openCodePage(page, 'fax')
  await enterCode(page, '123456')
  await expect(alert(page, 'Invalid verification type')).toBeVisible()
})
