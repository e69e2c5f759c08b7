import type { Page } from '@playwright/test'
import { newAccount } from './house/account.ts'
import type { Account } from './house/account.ts'
import { enterCode, expect, expectAccessible, signIn, test } from './house/test.ts'

async function fillSignUp(page: Page, person: Account): Promise<void> {
  await page.getByLabel('First name').fill(person.firstName)
  await page.getByLabel('Last name').fill(person.lastName)
  await page.getByLabel('State').selectOption(person.state)
  await page.getByLabel('Phone').fill('(619) 555-0134')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('checkbox', { name: /terms/i }).check()
}

const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

test.describe('sign up', () => {
  test('leads by the mailed code to /get-started', async ({ page, mailbox }) => {
    const maria = { ...newAccount(), firstName: 'Maria' }
    await page.goto('/signin')
    await page.getByRole('link', { name: 'Sign up' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Create Account' })).toBeFocused()
    await expect(page).toHaveTitle('Create Account – Guidon')
    await expectAccessible(page)
    await fillSignUp(page, maria)
    await expect(page.getByLabel('Phone')).toHaveValue('6195550134')
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused()
    await enterCode(page, await mailbox.codeFor(maria.email))
    await expect(page).toHaveURL(/\/get-started$/)
    await expect(page.getByRole('heading', { level: 1, name: 'More About You' })).toBeFocused()
    await expectAccessible(page)
    expect(await page.evaluate(() => sessionStorage.getItem('guidon.verification'))).toBeNull()
  })

  test('tells each field that is not right, and loses nothing that was typed', async ({ page }) => {
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

  test('offers the 50 states and no other', { tag: '@once' }, async ({ page }) => {
    await page.goto('/signup')
    const options = page.getByLabel('State').locator('option:not([value=""])')
    await expect(options).toHaveCount(50)
    const states = await options.allInnerTexts()
    expect([states[0], states.at(-1)]).toEqual(['Alabama', 'Wyoming'])
    expect(states).not.toContain('District of Columbia')
  })

  test('asks for a password that is hard to guess', { tag: '@once' }, async ({ page }) => {
    await page.goto('/signup')
    await fillSignUp(page, { ...newAccount(), password: 'Whitfield-2026!' })
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(
      page.getByText('Password does not meet requirements', { exact: true }),
    ).toBeVisible()
    await expect(page).toHaveURL(/\/signup$/)
  })

  test(
    'with a taken email looks the same, and mails the owner',
    { tag: '@once' },
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

  test(
    'opens the terms and the privacy policy of the brand',
    { tag: '@once' },
    async ({ page }) => {
      await page.goto('/signup')
      await expect(page.getByRole('link', { name: /terms/i })).toHaveAttribute(
        'href',
        'https://www.guidon.example/terms',
      )
      await expect(page.getByRole('link', { name: /privacy/i })).toHaveAttribute(
        'href',
        'https://www.guidon.example/privacy',
      )
    },
  )

  test('is right for password managers and autofill', { tag: '@once' }, async ({ page }) => {
    await page.goto('/signup')
    for (const [label, value] of [
      ['First name', 'given-name'],
      ['Last name', 'family-name'],
      ['Password', 'new-password'],
    ] as const) {
      await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('autocomplete', value)
    }
  })
})

test.describe('a forgotten password', () => {
  test('is reset by the mailed link, and the new one signs in', async ({
    page,
    account,
    mailbox,
  }) => {
    const james = await account()
    await page.goto('/signin')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await expect(page).toHaveURL(/\/forgot-password$/)
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
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await expect(page.getByRole('heading', { name: 'Password Changed' })).toBeFocused()
    await expect(page).toHaveURL(/\/reset-password-success$/)
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Sign In' }).click()
    await signIn(page, { ...james, password }, mailbox)
    await expect(page).toHaveURL(/\/dashboard\/home$/)

    await page.goto(link)
    await page.getByLabel('New password', { exact: true }).fill('Harbor9!lantern-stone')
    await page.getByLabel('Confirm password', { exact: true }).fill('Harbor9!lantern-stone')
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await expect(alert(page, 'This link was used already or has expired')).toBeVisible()
  })

  test('needs an email with @', { tag: '@once' }, async ({ page }) => {
    await page.goto('/forgot-password')
    await page.getByLabel('Email').fill('james')
    await page.getByRole('button', { name: 'Request Reset Link' }).click()
    await expect(page.getByText('Please enter a valid email address.')).toBeVisible()
    await expectAccessible(page)
  })

  test('tells what is wrong with the new one', async ({ page }) => {
    await page.goto('/reset-password')
    await expect(page.getByText('Invalid or missing token.')).toBeVisible()
    await expectAccessible(page)
    await page.goto('/reset-password?token=abc')
    await page.getByLabel('New password', { exact: true }).fill('weak')
    await page.getByLabel('Confirm password', { exact: true }).fill('weak')
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await expect(page.getByText('Please fix the password requirements below.')).toBeVisible()
    await page.getByLabel('New password', { exact: true }).fill('Anchor5!meadow-river')
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await expect(page.getByText('Passwords do not match')).toBeVisible()
    await expectAccessible(page)
  })
})

test(
  'a code can be sent again after a minute, with a banner of five seconds',
  { tag: '@once' },
  async ({ page, mailbox, isMobile }) => {
    test.skip(isMobile, 'waits for a real minute; once is enough')
    test.setTimeout(120_000)
    const maria = newAccount()
    await page.goto('/signup')
    await fillSignUp(page, maria)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    const [first] = await mailbox.mailsTo(maria.email)
    const resend = page.getByRole('button', { name: 'Resend code' })
    await expect(resend).toBeVisible({ timeout: 70_000 })
    await resend.click()
    const banner = page.getByText('A new verification code has been sent to your email')
    await expect(banner).toBeVisible()
    await expect(page.getByText(/Resend code in (1:00|0:5\d)/)).toBeVisible()
    await expect(banner).toBeHidden({ timeout: 7_000 })
    const [second] = await mailbox.mailsTo(maria.email, { after: first?.id ?? '' })
    await enterCode(page, second?.text.match(/\b\d{6}\b/)?.[0] ?? '')
    await expect(page).toHaveURL(/\/get-started$/)
  },
)

test(
  'five tabs whose token has expired all go on, after one refresh each waits for',
  { tag: '@once' },
  async ({ page, context, account, mailbox }) => {
    await signIn(page, await account(), mailbox)
    await expect(page.getByRole('heading', { name: 'Welcome, James' })).toBeVisible()
    const tabs = [page, ...(await Promise.all(Array.from({ length: 4 }, () => context.newPage())))]
    for (let round = 0; round < 2; round += 1) {
      await context.clearCookies({ name: 'guidon-access' })
      await Promise.all(tabs.map((tab) => tab.goto('/dashboard/home')))
      for (const tab of tabs) {
        await expect(tab.getByRole('heading', { name: 'Welcome, James' })).toBeVisible()
      }
    }
  },
)

test.describe('a server that fails without a message', { tag: '@once' }, () => {
  const failing = (page: Page, path: string) =>
    page.route(`**${path}`, (route) => route.fulfill({ status: 500, json: { code: 'unexpected' } }))

  test('shows: Failed to sign in, please try again later.', async ({ page }) => {
    await failing(page, '/auth/login')
    await page.goto('/signin')
    await page.getByLabel('Email').fill('james@example.com')
    await page.getByLabel('Password', { exact: true }).fill('Copper7!lantern')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(alert(page, 'Failed to sign in, please try again later.')).toBeVisible()
  })

  test('shows: Failed to sign up, please try again later.', async ({ page }) => {
    await failing(page, '/auth/register')
    await page.goto('/signup')
    await fillSignUp(page, newAccount())
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(alert(page, 'Failed to sign up, please try again later.')).toBeVisible()
  })

  test('shows: Failed to send email. Please try again later.', async ({ page }) => {
    await failing(page, '/auth/forgot-password')
    await page.goto('/forgot-password')
    await page.getByLabel('Email').fill('james@example.com')
    await page.getByRole('button', { name: 'Request Reset Link' }).click()
    await expect(alert(page, 'Failed to send email. Please try again later.')).toBeVisible()
  })

  test('shows: Failed to reset password. Please try again later.', async ({ page }) => {
    await failing(page, '/auth/reset-password')
    await page.goto('/reset-password?token=abc')
    await page.getByLabel('New password', { exact: true }).fill('Anchor5!meadow-river')
    await page.getByLabel('Confirm password', { exact: true }).fill('Anchor5!meadow-river')
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await expect(alert(page, 'Failed to reset password. Please try again later.')).toBeVisible()
  })

  for (const [type, path, sentence] of [
    ['login', '/auth/verify-login', 'Failed to verify sign in code, please try again later.'],
    ['email', '/auth/verify-email', 'Failed to verify email code, please try again later.'],
  ] as const) {
    test(`shows: ${sentence}`, async ({ page }) => {
      await failing(page, path)
      await page.goto('/signin')
      await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
      const pending = JSON.stringify({ email: 'james@example.com', type })
      await page.evaluate((value) => sessionStorage.setItem('guidon.verification', value), pending)
      await page.goto('/verification-code')
      await enterCode(page, '123456')
      await expect(alert(page, sentence)).toBeVisible()
    })
  }

  test('shows: Failed to logout, please try again later.', async ({ page, account, mailbox }) => {
    await signIn(page, await account(), mailbox)
    await expect(page.getByRole('heading', { name: 'Welcome, James' })).toBeVisible()
    await failing(page, '/auth/logout')
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(alert(page, 'Failed to logout, please try again later.')).toBeVisible()
  })
})

test('an invalid verification type is told', { tag: '@once' }, async ({ page }) => {
  await page.goto('/signin')
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  const pending = JSON.stringify({ email: 'james@example.com', type: 'fax' })
  await page.evaluate((value) => sessionStorage.setItem('guidon.verification', value), pending)
  await page.goto('/verification-code')
  await enterCode(page, '123456')
  await expect(alert(page, 'Invalid verification type')).toBeVisible()
})

test.describe('an idle session', () => {
  const dialog = (page: Page) => page.getByRole('alertdialog')

  test(
    'is asked about before its limit, in every tab, and stays when one of them says so',
    { tag: '@once' },
    async ({ page, context, account, mailbox }) => {
      await context.clock.install()
      await signIn(page, await account(), mailbox)
      await expect(page.getByRole('heading', { name: 'Welcome, James' })).toBeVisible()
      const other = await context.newPage()
      await other.goto('/dashboard/home')
      await expect(other.getByRole('heading', { name: 'Welcome, James' })).toBeVisible()

      await context.clock.fastForward('28:30')
      await expect(dialog(page)).toBeVisible()
      await expect(dialog(other)).toBeVisible()
      await expectAccessible(page)
      await dialog(page).getByRole('button', { name: 'Stay signed in' }).click()
      await expect(dialog(page)).toBeHidden()
      await expect(dialog(other)).toBeHidden()
    },
  )

  test(
    'that nobody answers for ends at /signin, which says why',
    { tag: '@once' },
    async ({ page, account, mailbox }) => {
      await page.clock.install()
      const { promise: late, resolve: comes } = Promise.withResolvers<void>()
      await page.route(/IdleTimeout/, async (route) => {
        await late
        await route.continue()
      })
      await signIn(page, await account(), mailbox)
      await expect(page.getByRole('heading', { name: 'Welcome, James' })).toBeVisible()
      await page.clock.fastForward('30:30')
      // Drawn only now, on a slow line, it must not be taken for a sign of life.
      comes()
      await expect(page).toHaveURL(/\/signin$/)
      await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
    },
  )
})
