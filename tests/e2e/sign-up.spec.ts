import { newAccount } from '../support/outside/account.ts'
import { expectAccessible } from './support/accessibility.ts'
import { enterCode } from './support/session.ts'
import { fillSignUp } from './support/sign-up-page.ts'
import { expect, test } from './support/test.ts'

test(
  'a sign-up leads through the mailed code to /get-started',
  { tag: '@desktop-only' },
  async ({ page, mailbox }) => {
    const maria = { ...newAccount(), firstName: 'Maria' }
    await page.goto('/signin')
    await page.getByRole('link', { name: 'Sign up' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Create Account' })).toBeFocused()
    await expect(page).toHaveTitle('Create Account – Guidon')
    await expectAccessible(page)
    const states = await page.getByLabel('State').getByRole('option').allInnerTexts()
    expect(states).not.toContain('District of Columbia')
    await fillSignUp(page, maria)
    await expect(page.getByLabel('Phone')).toHaveValue('6195550134')
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page.getByLabel('Digit 1 of 6')).toBeFocused()
    await enterCode(page, await mailbox.codeFor(maria.email))
    await expect(page).toHaveURL(/\/get-started$/)
    await expect(page.getByRole('heading', { level: 1, name: 'More About You' })).toBeFocused()
    await expectAccessible(page)
    expect(await page.evaluate(() => sessionStorage.getItem('guidon.verification'))).toBeNull()
  },
)

test(
  'each invalid field has its message, and typed values stay',
  { tag: '@phone' },
  async ({ page }) => {
    await page.goto('/signup')
    await page.getByRole('button', { name: 'Sign Up' }).click()
    for (const message of [
      'First name is required',
      'Last name is required',
      'Please select a state',
      'Enter a valid 10-digit phone number',
      'Enter a valid email address',
      'Password does not meet requirements',
      'You must accept the terms',
    ]) {
      await expect(page.getByText(message, { exact: true })).toBeVisible()
    }
    await expect(page.getByLabel('First name')).toBeFocused()
    await expect(page).toHaveTitle('Error: Create Account – Guidon')
    await expectAccessible(page)
    await page.getByLabel('First name').fill('Maria')
    await expect(page.getByText('First name is required')).toBeHidden()
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page.getByLabel('First name')).toHaveValue('Maria')
  },
)
