import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { enterCode, submitPassword } from './support/session.ts'
import { expect, test } from './support/test.ts'

async function submitNewPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Reset Password' }).click()
}

test(
  'a forgotten password is reset by the mailed link, and the new one signs in',
  { tag: '@phone' },
  async ({ page, account, mailbox }) => {
    const james = await account()
    await page.goto('/signin')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await expect(page).toHaveURL(/\/forgot-password$/)
    await page.getByLabel('Email').fill('james')
    await page.getByRole('button', { name: 'Request Reset Link' }).click()
    await expect(page.getByText('Please enter a valid email address.')).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Email').fill(james.email)
    await page.getByRole('button', { name: 'Request Reset Link' }).click()
    await expect(page.getByRole('heading', { name: 'Email Sent' })).toBeFocused()
    await expect(page.getByText(/jam\*+@example\.com/)).toBeVisible()
    await expect(page.getByText(/spam/)).toBeVisible()
    await expectAccessible(page)

    const [mail] = await mailbox.mailsTo(james.email)
    const link = mail?.text.match(/http:\/\/\S+\/reset-password\?token=[\w-]+/)?.[0] ?? ''
    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible()
    await expect(page).toHaveURL(/\/reset-password$/)
    await expectAccessible(page)
    const password = 'Anchor5!meadow-river'
    await submitNewPassword(page, password)
    await expect(page.getByRole('heading', { name: 'Password Changed' })).toBeFocused()
    await expect(page).toHaveURL(/\/reset-password-success$/)
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Sign In' }).click()
    await submitPassword(page, { ...james, password })
    await enterCode(page, await mailbox.codeFor(james.email))
    await expect(page).toHaveURL(/\/dashboard\/home$/)

    await page.goto(link)
    await submitNewPassword(page, 'Harbor9!lantern-stone')
    await expect(
      page.getByRole('alert').filter({ hasText: 'This link was used already or has expired' }),
    ).toBeVisible()
  },
)

test('a weak or mistyped new password is refused', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/reset-password?token=abc')
  await submitNewPassword(page, 'weak')
  await expect(page.getByText('Please fix the password requirements below.')).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill('Anchor5!meadow-river')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await expectAccessible(page)
})
