import { screens } from '@guidon/contract/screens'
import type { Page } from '@playwright/test'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import { logOut, openHome } from './support/session.ts'
import { expect, test } from './support/test.ts'

const h1 = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })

test(
  'Settings opens without a connection, because its code was loaded ahead',
  { tag: '@phone' },
  async ({ page, context, signedIn }) => {
    await signedIn()
    await openHome(page)
    await waitForPrefetch(page)
    await context.setOffline(true)
    await menu(page).getByRole('link', { name: 'Settings' }).click()
    await expect(h1(page, 'Settings')).toBeFocused()
    await expect(page.getByText(/^You are offline\. What you have typed is kept/)).toBeVisible()
    await expect(page.getByText('Failed to get user info.')).toBeVisible()
    await expectAccessible(page)
  },
)

test(
  'a screen that is not loaded yet says that the connection is lost, and opens once it is back',
  { tag: '@phone' },
  async ({ page, context }) => {
    const code = /before-sign-in-.*\.js/
    await page.route(code, (route) => route.abort())
    await Promise.all([
      page.waitForEvent('requestfailed', (request) => code.test(request.url())),
      page.goto(screens.signIn),
    ])
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Sign up' }).click()
    await expect(h1(page, 'You are offline')).toBeFocused()
    await expect(page).toHaveTitle('Error: You are offline – Guidon')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('We still cannot reach the portal.')).toBeVisible()
    await page.unroute(code)
    await context.setOffline(false)
    await expect(h1(page, 'Create Account')).toBeVisible()
    await expect(page).toHaveURL(/\/signup$/)
  },
)

test(
  'Back to the first screen of the visit focuses its heading',
  { tag: '@desktop-only' },
  async ({ page }) => {
    await page.goto(screens.signIn)
    await page.getByRole('link', { name: 'Sign up' }).click()
    await expect(h1(page, 'Create Account')).toBeFocused()
    await page.goBack()
    await expect(h1(page, 'Welcome Back')).toBeFocused()
  },
)

test('Log out in the menu bar of a phone asks for confirmation @phone', async ({
  page,
  signedIn,
}) => {
  await signedIn()
  await openHome(page)
  await menu(page).getByRole('button', { name: 'Log out' }).tap()
  const question = page.getByRole('alertdialog', { name: 'Log out?' })
  await expect(question.getByRole('button', { name: 'Stay' })).toBeFocused()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Stay' }).tap()
  await expect(menu(page).getByRole('button', { name: 'Log out' })).toBeFocused()
  await logOut(page)
  await expect(h1(page, 'Welcome Back')).toBeVisible()
})

test('in a low window the menu takes no height from the page @phone', async ({
  page,
  signedIn,
}) => {
  await signedIn()
  for (const [width, height] of [
    [844, 390],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height })
    await openHome(page)
    const bar = (await menu(page).boundingBox())!
    const fixed = (await menu(page).evaluate((nav) => getComputedStyle(nav).position)) === 'fixed'
    // The menu is fixed beside the page, or it is a part of the page and scrolls away.
    expect(fixed ? bar.width / width : 0).toBeLessThan(0.15)
    expect(fixed ? bar.height : height).toBe(height)
    await expectAccessible(page)
  }
})

test(
  'the crisis line can be pressed at the end of a page, above the menu of a narrow phone',
  { tag: '@phone' },
  async ({ page, signedIn }) => {
    await signedIn()
    await page.setViewportSize(NARROWEST_WINDOW)
    await openHome(page)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const footer = page.getByRole('contentinfo')
    for (const name of ['dial 988, then press 1', 'text 838255']) {
      const link = footer.getByRole('link', { name })
      await expect(link).toBeInViewport({ ratio: 1 })
      // Fails if something covers it.
      await link.click({ trial: true, timeout: 5_000 })
    }
  },
)

/** Waits until the browser has fetched every file that the page lists for later. */
async function waitForPrefetch(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { all } = JSON.parse(document.getElementById('later-files')!.textContent) as {
      all: string[]
    }
    const fetched = new Set(performance.getEntriesByType('resource').map(({ name }) => name))
    return all.every((file) => fetched.has(`${location.origin}/${file}`))
  })
}
