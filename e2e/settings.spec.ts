import type { Page } from '@playwright/test'
import type { Account } from './house/account.ts'
import { enterPassword, expect, expectAccessible, signIn, test } from './house/test.ts'

const NEW = 'Anchor5!meadow-river'
const UPDATED = 'Your password has been successfully updated!'

async function openSettings(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeFocused()
  await expect(page).toHaveURL(/\/dashboard\/settings$/)
}

const current = (page: Page) => page.getByLabel('Current password', { exact: true })
const chosen = (page: Page) => page.getByLabel('New password', { exact: true })
const button = (page: Page) => page.getByRole('button', { name: 'Change Password' })

async function change(page: Page, from: string, to: string): Promise<void> {
  await current(page).fill(from)
  await chosen(page).fill(to)
  await button(page).click()
}

const profileOf = ({ email }: Account) => [
  'First nameJames',
  'Last nameWhitfield',
  'Phone(619) 555-0134',
  `Email${email}`,
  'StreetN/A',
  'CityN/A',
  'StateCalifornia',
  'ZipN/A',
]

test('the profile is there to read, with N/A where something is missing', async ({
  page,
  account,
  mailbox,
}) => {
  const james = await account()
  await signIn(page, james, mailbox)
  await openSettings(page)
  const profile = page.getByRole('region', { name: 'Your profile' })
  await expect(profile.locator('dl > div')).toHaveText(profileOf(james))
  await expect(profile.getByText(/please contact Guidon/)).toBeVisible()
  await expect(profile.getByRole('textbox')).toHaveCount(0)
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectAccessible(page)
})

test(
  'shows: Failed to get user info., and is tried again',
  { tag: '@once' },
  async ({ page, account, mailbox }) => {
    await page.route('**/salesforce/user/me/data', (route) =>
      route.fulfill({ status: 503, json: { code: 'unexpected' } }),
    )
    await signIn(page, await account(), mailbox)
    await openSettings(page)
    await expect(page.getByText('Failed to get user info.')).toBeVisible()
    await expectAccessible(page)
    await page.unroute('**/salesforce/user/me/data')
    await page.getByRole('button', { name: 'Try again to load profile' }).click()
    await expect(page.getByText('California')).toBeVisible()
  },
)

test(
  'a password is changed by who knows the current one',
  { tag: '@once' },
  async ({ page, account, mailbox }) => {
    const james = await account()
    await signIn(page, james, mailbox)
    await expect(page).toHaveURL(/\/dashboard\/home$/)
    await openSettings(page)

    await test.step('the button is disabled unless both are filled', async () => {
      await expect(button(page)).toBeDisabled()
      await current(page).fill(james.password)
      await expect(button(page)).toBeDisabled()
      await chosen(page).fill('weak')
      await expect(button(page)).toBeEnabled()
    })
    await test.step('the new one must be strong', async () => {
      await button(page).click()
      await expect(page.getByText('Please fix the password requirements below.')).toBeVisible()
      await expect(chosen(page)).toBeFocused()
      await expect(page).toHaveTitle('Error: Settings – Guidon')
      await expectAccessible(page)
    })
    await test.step('the current one must be right', async () => {
      await change(page, 'Wrong7!lantern', NEW)
      await expect(page.getByText('Your current password is not right.')).toBeVisible()
      await expect(current(page)).toBeFocused()
    })
    await test.step('success is told for five seconds', async () => {
      await current(page).fill(james.password)
      await page.keyboard.press('Enter')
      await expect(page.getByText(UPDATED)).toBeVisible()
      await expect(current(page)).toHaveValue('')
      await expectAccessible(page)
      await expect(page.getByText(UPDATED)).toBeHidden({ timeout: 7_000 })
    })
    await test.step('one stays signed in here, and the new password signs in', async () => {
      await page.reload()
      await expect(page.getByText('California')).toBeVisible()
      await enterPassword(page, { ...james, password: NEW })
    })
  },
)

test(
  'shows: Failed to reset password. Please try again later.',
  { tag: '@once' },
  async ({ page, account, mailbox }) => {
    await page.route('**/auth/reset-password-with-current-password', (route) =>
      route.fulfill({ status: 500, json: { code: 'unexpected' } }),
    )
    const james = await account()
    await signIn(page, james, mailbox)
    await openSettings(page)
    await change(page, james.password, NEW)
    await expect(
      page
        .getByRole('alert')
        .filter({ hasText: 'Failed to reset password. Please try again later.' }),
    ).toBeVisible()
  },
)
