import { randomUUID } from 'node:crypto'
import { screens } from '@guidon/contract/screens'
import type { Locator } from '@playwright/test'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import { contactIdOf } from './support/crm.ts'
import {
  choose,
  dialog,
  find,
  idOf,
  openManageUsers,
  rowOf,
  send,
} from './support/manage-users-page.ts'
import { openSession } from './support/session.ts'
import { expect, test } from './support/test.ts'

/** Expects that nothing in the dialog is wider than the dialog. */
const expectNothingCutOff = async (shown: Locator) => {
  const overflow = await shown
    .locator('[data-part=dialog-content], [data-part=dialog-actions]')
    .evaluateAll((parts) => parts.map((part) => part.scrollWidth - part.clientWidth))
  expect(Math.max(...overflow)).toBeLessThanOrEqual(0)
}

test(
  'columns keep their widths, and IDs and dates stay on one line',
  { tag: '@desktop-only' },
  async ({ page, account, signedIn, mailbox, salesforce, box }) => {
    const veteran = await signedIn()
    expect(await contactIdOf(veteran, salesforce)).toHaveLength(18)
    await openSession(page, await account('ADMIN'), mailbox)
    await openManageUsers(page)
    const { id: folder } = await box.addFolder(randomUUID())
    const path = `/admin/users/${await idOf(page, veteran)}`
    expect(await send(page, 'PATCH', path, { boxFolderId: folder })).toBe(200)
    await page.reload()
    const widths = () =>
      page.locator('thead th').evaluateAll((cells) => cells.map((cell) => cell.clientWidth))
    await expect(page.locator('tbody tr').nth(9)).toBeVisible()
    const before = await widths()
    await find(page, veteran)
    expect(await widths()).toEqual(before)
    const cut = await page
      .locator('thead th, td > time, td > a, td > div')
      .evaluateAll((parts) => parts.filter((part) => part.scrollWidth > part.clientWidth).length)
    expect(cut).toBe(0)
    await expect(rowOf(page, veteran).getByRole('link')).toBeVisible()
    await expect(rowOf(page, veteran)).toContainText(folder)
    const heights = await rowOf(page, veteran)
      .locator('time, td:nth-child(7) > div')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().height))
    expect(Math.max(...heights)).toBeLessThan(30)
  },
)

test(
  'an administrator makes an inactive account active again, and its owner gets an email',
  { tag: '@desktop-only' },
  async ({ page, account, signedIn, mailbox }) => {
    const veteran = await account()
    await signedIn('ADMIN')
    await openManageUsers(page)
    expect(await send(page, 'DELETE', `/admin/users/${await idOf(page, veteran)}`)).toBe(204)
    await page.goto(`${screens.adminDashboard}?status=inactive`)
    await choose(page, veteran, 'Edit')
    const edit = dialog(page, 'Edit User')
    await expect(edit.getByText('This account is inactive.')).toBeVisible()
    await edit.getByRole('button', { name: 'Make active again' }).click()
    const confirmation = page.getByRole('alertdialog', { name: 'Make active again' })
    await expect(confirmation.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expectAccessible(page)
    await confirmation.getByRole('button', { name: 'Make active again' }).click()
    // The filter excludes the account from now on, so the focus cannot return to its row.
    await expect(page.getByText('No users found.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    const [email] = await mailbox.mailsTo(veteran.email, { subject: 'active again' })
    expect(email?.text).toContain('You can sign in as before.')
    await openSession(page, veteran, mailbox)
    expect((await page.request.get('/auth/check-auth')).status()).toBe(200)
  },
)

test(
  'dialogs fit the narrowest window, and text of twice the size',
  { tag: '@phone' },
  async ({ page, account, signedIn }) => {
    const veteran = await account()
    await signedIn('STAFF')
    await openManageUsers(page)
    await page.setViewportSize(NARROWEST_WINDOW)
    await choose(page, veteran, 'Edit')
    await expectAccessible(page)
    const edit = dialog(page, 'Edit User')
    await edit.getByRole('button', { name: 'Reset Password' }).click()
    const reset = dialog(page, 'Reset Password')
    await expect(reset.getByText('The password needs:')).toBeVisible()
    await reset.getByRole('button', { name: 'Suggest one' }).click()
    const suggested = await reset.locator('code').textContent()
    await expect(reset.getByLabel('New password', { exact: true })).toHaveValue(suggested!)
    await expect(reset.getByRole('button', { name: 'Copy suggested password' })).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    // Twice the 112.5 % of the style sheet.
    await page.evaluate(() => (document.documentElement.style.fontSize = '225%'))
    await expectNothingCutOff(reset)
    await reset.getByRole('button', { name: 'Cancel' }).click()
    await expectNothingCutOff(edit)
    await edit.getByRole('button', { name: 'Cancel' }).click()
    await expect(rowOf(page, veteran).getByRole('button')).toBeFocused()
  },
)
