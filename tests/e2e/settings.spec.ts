import { screens } from '@guidon/contract/screens'
import type { Page } from '@playwright/test'
import type { Account } from '../support/outside/account.ts'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import { enterPassword, openHome } from './support/session.ts'
import { expect, test } from './support/test.ts'

const NEW_PASSWORD = 'Anchor5!meadow-river'
const UPDATED = 'Your password has been successfully updated!'

const openSettings = (page: Page) => page.goto(screens.settings)

const currentPassword = (page: Page) => page.getByLabel('Current password', { exact: true })
const chosenPassword = (page: Page) => page.getByLabel('New password', { exact: true })
const changeButton = (page: Page) => page.getByRole('button', { name: 'Change Password' })

async function changePassword(page: Page, from: string, to: string): Promise<void> {
  await currentPassword(page).fill(from)
  await chosenPassword(page).fill(to)
  await changeButton(page).click()
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

test(
  'the profile is read-only, with N/A for missing values',
  { tag: '@phone' },
  async ({ page, signedIn }) => {
    const james = await signedIn()
    await openHome(page)
    await page.getByRole('link', { name: 'Settings' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeFocused()
    await expect(page).toHaveURL(/\/dashboard\/settings$/)
    const profile = page.getByRole('region', { name: 'Your profile' })
    await expect(profile.locator('dl > div')).toHaveText(profileOf(james))
    await expect(profile.getByText(/please contact Guidon/)).toBeVisible()
    await expect(profile.getByRole('textbox')).toHaveCount(0)
    await expectAccessible(page)
    await page.setViewportSize(NARROWEST_WINDOW)
    await expectAccessible(page)
  },
)

test(
  'a veteran who knows the current password changes it',
  { tag: '@desktop-only' },
  async ({ page, signedIn }) => {
    const james = await signedIn()
    await openSettings(page)

    await test.step('the button is disabled until both passwords are filled in', async () => {
      await expect(changeButton(page)).toBeDisabled()
      await currentPassword(page).fill(james.password)
      await expect(changeButton(page)).toBeDisabled()
      await chosenPassword(page).fill('weak')
      await expect(changeButton(page)).toBeEnabled()
    })
    await test.step('the new password must be strong', async () => {
      await changeButton(page).click()
      await expect(page.getByText('Please fix the password requirements below.')).toBeVisible()
      await expect(chosenPassword(page)).toBeFocused()
      await expect(page).toHaveTitle('Error: Settings – Guidon')
      await expectAccessible(page)
    })
    await test.step('the current password must be right', async () => {
      await changePassword(page, 'Wrong7!lantern', NEW_PASSWORD)
      await expect(page.getByText('Your current password is not right.')).toBeVisible()
      await expect(currentPassword(page)).toBeFocused()
    })
    await test.step('the success message is shown, and disappears', async () => {
      await currentPassword(page).fill(james.password)
      await page.keyboard.press('Enter')
      await expect(page.getByText(UPDATED)).toBeVisible()
      await expect(currentPassword(page)).toHaveValue('')
      await expectAccessible(page)
      await expect(page.getByText(UPDATED)).toBeHidden()
    })
    await test.step('the session stays open, and the new password signs in', async () => {
      await page.reload()
      await expect(page.getByText('California')).toBeVisible()
      await enterPassword(page, { ...james, password: NEW_PASSWORD })
    })
  },
)
