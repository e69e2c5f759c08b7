import { getCaseActivity } from '@guidon/contract/case-activity'
import { getConsents } from '@guidon/contract/consents'
import { getActivity } from '@guidon/contract/manage-users'
import { getNoticePreferences } from '@guidon/contract/notices'
import { getUserInfo } from '@guidon/contract/profile'
import { screens } from '@guidon/contract/screens'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { openHome } from './support/session.ts'
import { expect, test } from './support/test.ts'

const welcome = (page: Page) => page.getByRole('heading', { name: 'Welcome, James' })

test(
  'a session is refreshed without a visible change, also in five tabs at once',
  { tag: '@desktop-only' },
  async ({ page, context, signedIn }) => {
    await signedIn()
    await openHome(page)
    await context.clearCookies({ name: 'guidon-access' })
    await page.reload()
    await expect(welcome(page)).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard\/home$/)

    const tabs = [page, ...(await Promise.all(Array.from({ length: 4 }, () => context.newPage())))]
    for (let round = 0; round < 2; round += 1) {
      await context.clearCookies({ name: 'guidon-access' })
      await Promise.all(tabs.map((tab) => tab.goto('/dashboard/home')))
      for (const tab of tabs) await expect(welcome(tab)).toBeVisible()
    }
  },
)

test(
  'an API that is down never sends anyone to /signin, an ended session does',
  { tag: '@desktop-only' },
  async ({ page, context, signedIn }) => {
    await signedIn()
    await openHome(page)
    await page.route('**/auth/check-auth', (route) => route.abort())
    await page.reload()
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard\/home$/)
    await expectAccessible(page)
    await page.unroute('**/auth/check-auth')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(welcome(page)).toBeVisible()

    await context.clearCookies()
    await page.reload()
    await expect(page).toHaveURL(/\/signin$/)
  },
)

test.describe('an idle session', () => {
  const dialog = (page: Page) => page.getByRole('alertdialog')

  /** Waits for the response of every read, because a read that is sent after the clock was moved counts as activity. */
  async function openSettings(page: Page): Promise<void> {
    const reads = [
      getUserInfo,
      getActivity,
      getCaseActivity,
      getConsents,
      getNoticePreferences,
    ].map(({ path }) =>
      page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(path)),
    )
    await page.goto(screens.settings)
    await Promise.all(reads)
  }

  test(
    'asks in every tab before its limit, and stays when one tab confirms',
    { tag: '@desktop-only' },
    async ({ page, context, signedIn }) => {
      await context.clock.install()
      await signedIn()
      await openSettings(page)
      const otherTab = await context.newPage()
      await openSettings(otherTab)

      await context.clock.fastForward('28:30')
      await expect(dialog(page)).toBeVisible()
      await expect(dialog(otherTab)).toBeVisible()
      await expectAccessible(page)
      await dialog(page).getByRole('button', { name: 'Stay signed in' }).click()
      await expect(dialog(page)).toBeHidden()
      await expect(dialog(otherTab)).toBeHidden()
    },
  )

  test(
    'ends at /signin with the reason when nobody confirms',
    { tag: '@desktop-only' },
    async ({ page, signedIn }) => {
      await page.clock.install()
      const requested = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      await page.route('**/assets/*.js', async (route) => {
        const response = await route.fetch()
        if ((await response.text()).includes('Stay signed in')) {
          requested.resolve()
          await released.promise
        }
        await route.fulfill({ response })
      })
      await signedIn()
      await openSettings(page)
      await requested.promise
      await page.clock.fastForward('30:30')
      // On a slow connection the dialog's code arrives only now, which must not count as activity.
      released.resolve()
      await expect(page).toHaveURL(/\/signin$/)
      await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
      // Code of later screens may be on its way.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    },
  )
})
