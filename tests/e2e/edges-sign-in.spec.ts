import { checkAuth } from '@guidon/contract/auth'
import { forgotPassword } from '@guidon/contract/password'
import { HARD_TO_GUESS, NO_NAME } from '@guidon/contract/password-strength'
import type { MailboxClient } from '@guidon/sandbox/mailbox/client'
import type { Locator, Page } from '@playwright/test'
import type { Account } from '../support/outside/account.ts'
import { newAccount } from '../support/outside/account.ts'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import { failRequests } from './support/failing-requests.ts'
import { logOut, openHome, portalHeaders, submitPassword } from './support/session.ts'
import { fillSignUp } from './support/sign-up-page.ts'
import { expect, test } from './support/test.ts'

const signedInNotice = (page: Page) => page.getByText('You are signed in as James')
const welcome = (page: Page) => page.getByRole('heading', { name: 'Welcome, James' })
const newPassword = (page: Page) => page.getByLabel('New password', { exact: true })

/** Requests a reset link through the API, and returns the link from the email. */
async function resetLinkOf({ email }: Account, page: Page, mailbox: MailboxClient) {
  await page.request.post(forgotPassword.path, { data: { email }, ...portalHeaders() })
  const [mail] = await mailbox.mailsTo(email)
  return mail?.text.match(/http:\/\/\S+\/reset-password\?token=[\w-]+/)?.[0] ?? ''
}

async function submitNewPassword(page: Page, password: string): Promise<void> {
  await newPassword(page).fill(password)
  await page.getByLabel('Confirm password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Reset Password' }).click()
}

const height = async (target: Locator) => (await target.boundingBox())?.height

test(
  '/signin says who is still signed in, and logs out for good',
  { tag: '@phone' },
  async ({ page, context, signedIn }) => {
    await signedIn()
    await page.goto('/signin')
    await expect(signedInNotice(page)).toBeVisible()
    const window = page.viewportSize()!
    await page.setViewportSize(NARROWEST_WINDOW)
    await expectAccessible(page)
    await page.setViewportSize(window)
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0)
    await page.getByRole('link', { name: 'Go to your dashboard' }).click()
    await expect(welcome(page)).toBeVisible()

    await test.step('Back from the dashboard, and Go Home in a second tab', async () => {
      await page.goBack()
      await expect(signedInNotice(page)).toBeVisible()
      const tab = await context.newPage()
      await tab.goto('/no/such/page')
      await tab.getByRole('link', { name: 'Go Home' }).click()
      await expect(signedInNotice(tab)).toBeVisible()
      await tab.getByRole('link', { name: 'Go to your dashboard' }).click()
      await expect(welcome(tab)).toBeVisible()
    })
    await test.step('Log out ends the session in every tab, and Forward shows nothing of it', async () => {
      const [, tab] = context.pages()
      await page.getByRole('button', { name: 'Log out' }).click()
      await expect(page.getByText('You are logged out.')).toBeVisible()
      await expect(signedInNotice(page)).toBeHidden()
      await expectAccessible(page)
      await expect(tab!).toHaveURL(/\/signin$/)
      expect((await page.request.get(checkAuth.path)).status()).toBe(401)
      await page.goForward()
      await expect(page).toHaveURL(/\/signin$/)
      await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
      await expect(welcome(page)).toBeHidden()
    })
  },
)

test(
  'a mistyped email at sign-up can be corrected, and everything else is still there',
  { tag: '@phone' },
  async ({ page, mailbox }) => {
    const maria = { ...newAccount(), firstName: 'Maria' }
    const email = page.getByLabel('Email')
    await page.goto('/signup')
    await fillSignUp(page, { ...maria, email: `typo.${maria.email}` })
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page.getByLabel('Digit 1 of 6')).toBeFocused()

    await page.getByRole('link', { name: 'Wrong email? Start again' }).click()
    await expect(email).toBeFocused()
    await expect(email).toHaveValue(`typo.${maria.email}`)
    await expect(page.getByLabel('First name')).toHaveValue('Maria')
    await expect(page.getByLabel('State')).toHaveValue('California')
    await expect(page.getByLabel('Phone')).toHaveValue('6195550134')
    await expect(page.getByRole('checkbox', { name: /terms/i })).not.toBeChecked()
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
    await expectAccessible(page)

    await test.step('also with Back of the browser', async () => {
      await page.goBack()
      await expect(page.getByLabel('Digit 1 of 6')).toBeFocused()
      await page.goBack()
      await expect(email).toBeFocused()
      await expect(page.getByLabel('First name')).toHaveValue('Maria')
    })

    await email.fill(maria.email)
    await page.getByLabel('Password', { exact: true }).fill(maria.password)
    await page.getByRole('checkbox', { name: /terms/i }).check()
    await page.getByRole('button', { name: 'Sign Up' }).click()
    const code = await mailbox.codeFor(maria.email)
    await expect(page.getByLabel('Digit 1 of 6')).toBeFocused()
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/get-started$/)
    expect(await page.evaluate(() => sessionStorage.getItem('guidon.sign-up'))).toBeNull()
  },
)

test(
  'a wrong email at sign-in leads back to /signin, with targets that are easy to hit',
  { tag: '@phone' },
  async ({ page, account }) => {
    await page.goto('/signin')
    expect(
      await height(page.getByRole('link', { name: 'Forgot password?' })),
    ).toBeGreaterThanOrEqual(44)
    await submitPassword(page, await account())
    const again = page.getByRole('link', { name: 'Wrong email? Start again' })
    expect(await height(again)).toBeGreaterThanOrEqual(44)
    await expectAccessible(page)
    await again.click()
    await expect(page).toHaveURL(/\/signin$/)
  },
)

test(
  'a reset link survives a reload, and its page says which rule the server found broken',
  { tag: '@phone' },
  async ({ page, account, mailbox }) => {
    await page.goto(await resetLinkOf(await account(), page, mailbox))
    await expect(newPassword(page)).toBeVisible()
    await expect(page).toHaveURL(/\/reset-password$/)
    await page.reload()

    for (const [password, rule] of [
      ['Whitfield7!lantern', NO_NAME],
      ['Password1!', HARD_TO_GUESS],
    ] as const) {
      await submitNewPassword(page, password)
      const marked = page.getByRole('listitem').filter({ hasText: 'not met' })
      await expect(marked).toHaveCount(1)
      await expect(marked).toContainText(rule)
      await expect(page.getByText('Please fix the password requirements below.')).toBeVisible()
      await expect(newPassword(page)).toBeFocused()
      await expectAccessible(page)
    }
    await submitNewPassword(page, 'Anchor5!meadow-river')
    await expect(page.getByRole('heading', { name: 'Password Changed' })).toBeFocused()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  },
)

test(
  'the reset page without a token has one button, and no form',
  { tag: '@phone' },
  async ({ page }) => {
    await page.goto('/reset-password')
    await expect(page.getByText('Invalid or missing token.')).toBeVisible()
    await expect(page.getByRole('textbox')).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
    await expectAccessible(page)
    await page.getByRole('main').getByRole('link', { name: 'Request a new link' }).click()
    await expect(page).toHaveURL(/\/forgot-password$/)
  },
)

test('the message of a failed log-out is in view, wherever the page is scrolled to', async ({
  page,
  signedIn,
}) => {
  await signedIn()
  await openHome(page)
  await failRequests(page, '**/auth/logout')
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await logOut(page)
  const failure = page.getByText('Failed to logout, please try again later.')
  await expect(failure).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)
})

test(
  'a sign-up loads no password dictionary, keeps what was typed offline, and shows which rule the server found broken',
  { tag: '@phone' },
  async ({ page, context }) => {
    let bytes = 0
    page.on('response', async (response) => {
      bytes += Number(response.headers()['content-length'] ?? 0)
    })
    const maria = { ...newAccount(), password: 'Summer2026!' }
    await page.goto('/signup', { waitUntil: 'networkidle' })
    await fillSignUp(page, maria)
    expect(bytes).toBeLessThan(500_000)

    await context.setOffline(true)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'internet connection' })).toBeVisible()
    await expect(page.getByLabel('First name')).toHaveValue(maria.firstName)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(maria.password)
    await expectAccessible(page)

    await context.setOffline(false)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    const marked = page.getByRole('listitem').filter({ hasText: 'not met' })
    await expect(marked).toContainText(HARD_TO_GUESS)
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await expectAccessible(page)
  },
)
