import { expectAccessible } from './support/accessibility.ts'
import { newAccount } from './support/account.ts'
import { enterCode } from './support/session.ts'
import { fillSignUp } from './support/sign-up-page.ts'
import { expect, test } from './support/test.ts'

test('a sign-up leads through the mailed code to /get-started', async ({ page, mailbox }) => {
  const maria = { ...newAccount(), firstName: 'Maria' }
  await page.goto('/signin')
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Create Account' })).toBeFocused()
  await expect(page).toHaveTitle('Create Account – Guidon')
  await expectAccessible(page)
  await fillSignUp(page, maria)
  await expect(page.getByLabel('Phone')).toHaveValue('6195550134')
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByLabel('Digit 1 of 6')).toBeFocused()
  await enterCode(page, await mailbox.codeFor(maria.email))
  await expect(page).toHaveURL(/\/get-started$/)
  await expect(page.getByRole('heading', { level: 1, name: 'More About You' })).toBeFocused()
  await expectAccessible(page)
  expect(await page.evaluate(() => sessionStorage.getItem('guidon.verification'))).toBeNull()
})

test('each invalid field has its message, and typed values stay', async ({ page }) => {
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
})

test('the sign-up form', { tag: '@desktop-only' }, async ({ page }) => {
  await page.goto('/signup')

  await test.step('offers the 50 states and no other', async () => {
    const options = page.getByLabel('State').locator('option:not([value=""])')
    await expect(options).toHaveCount(50)
    const states = await options.allInnerTexts()
    expect([states[0], states.at(-1)]).toEqual(['Alabama', 'Wyoming'])
    expect(states).not.toContain('District of Columbia')
  })

  await test.step('links to the terms and the privacy policy of the brand', async () => {
    await expect(page.getByRole('link', { name: /terms/i })).toHaveAttribute(
      'href',
      'https://www.guidon.example/terms',
    )
    await expect(page.getByRole('link', { name: /privacy/i })).toHaveAttribute(
      'href',
      'https://www.guidon.example/privacy',
    )
  })

  await test.step('names its fields for password managers and autofill', async () => {
    for (const [label, value] of [
      ['First name', 'given-name'],
      ['Last name', 'family-name'],
      ['Password', 'new-password'],
    ] as const) {
      await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('autocomplete', value)
    }
  })

  await test.step('refuses a password that is easy to guess', async () => {
    await fillSignUp(page, { ...newAccount(), password: 'Whitfield-2026!' })
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(
      page.getByText('Password does not meet requirements', { exact: true }),
    ).toBeVisible()
    await expect(page).toHaveURL(/\/signup$/)
  })
})

test(
  'a sign-up with a taken email looks like any other, and mails the owner',
  { tag: '@desktop-only' },
  async ({ page, account, mailbox }) => {
    const owner = await account()
    await page.goto('/signup')
    await fillSignUp(page, { ...owner, password: 'Anchor5!meadow-river' })
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    const [mail] = await mailbox.mailsTo(owner.email)
    expect(mail?.subject).toBe('You already have a Guidon account')
  },
)
