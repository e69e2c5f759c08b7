import { screens } from '@guidon/contract/screens'
import type { Page } from '@playwright/test'
import { failRequests } from '../support/failing-requests.ts'
import { expect } from '../support/test.ts'
import { picture } from './picture.ts'

async function openUsers(page: Page, query = ''): Promise<void> {
  await page.goto(screens.adminDashboard + query)
  await expect(page.getByRole('heading', { level: 1, name: 'Manage Users' })).toBeVisible()
}

async function openMenu(page: Page): Promise<void> {
  await openUsers(page, '?role=USER')
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await expect(page.getByRole('menuitem', { name: 'View Documents' })).toBeVisible()
}

async function openEdit(page: Page): Promise<void> {
  await openMenu(page)
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit User' })).toBeVisible()
}

const users = (page: Page) =>
  expect(page.getByRole('status').filter({ hasText: /^\d+ users?$/ })).toBeVisible()

picture(
  'Manage Users',
  'filled',
  async ({ page, signedIn }) => {
    await signedIn('ADMIN')
    await openUsers(page)
    await users(page)
  },
  [{ file: 'manage-users.png', width: 1280 }],
)
picture('Manage Users', 'loading', async ({ page, signedIn }) => {
  await signedIn('STAFF')
  await page.route('**/admin/users*', () => {})
  await openUsers(page)
})
picture('Manage Users', 'failing', async ({ page, signedIn }) => {
  await signedIn('STAFF')
  await failRequests(page, '**/admin/users*')
  await openUsers(page)
  await expect(page.getByRole('button', { name: /^Try again/ })).toBeVisible()
})
picture('Manage Users', 'nobody found', async ({ page, signedIn }) => {
  await signedIn('STAFF')
  await openUsers(page, '?q=nobody-has-this-name')
  await expect(page.getByText('No users found.')).toBeVisible()
})
picture('Manage Users', 'menu', async ({ page, signedIn }) => {
  await signedIn('STAFF')
  await openMenu(page)
})
picture('Manage Users', 'edit', async ({ page, signedIn }) => {
  await signedIn('ADMIN')
  await openEdit(page)
})
picture('Manage Users', 'reset password', async ({ page, signedIn }) => {
  await signedIn('ADMIN')
  await openEdit(page)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByRole('dialog', { name: 'Reset Password' })).toBeVisible()
})
picture('Manage Users', 'delete asks', async ({ page, signedIn }) => {
  await signedIn('ADMIN')
  await openEdit(page)
  await page.getByRole('button', { name: 'Delete User' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Delete User' })).toBeVisible()
})
picture('Manage Users', 'documents', async ({ page, signedIn }) => {
  await signedIn('STAFF')
  await openMenu(page)
  await page.getByRole('menuitem', { name: 'View Documents' }).click()
  await expect(page.getByRole('dialog', { name: 'User Documents' })).toBeVisible()
})
