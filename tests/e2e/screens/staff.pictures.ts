import { FOLDER_MESSAGES } from '@guidon/contract/folders'
import { screens } from '@guidon/contract/screens'
import type { Page } from '@playwright/test'
import { newPdf, sendFile } from '../support/documents-page.ts'
import { failRequests } from '../support/failing-requests.ts'
import { choose, idOf, send } from '../support/manage-users-page.ts'
import { openSession } from '../support/session.ts'
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

const expectUserCount = (page: Page) =>
  expect(page.getByRole('status').filter({ hasText: /^\d+ users?$/ })).toBeVisible()

picture(
  'Manage Users',
  'filled',
  async ({ page, signedIn }) => {
    await signedIn('ADMIN')
    await openUsers(page)
    await expectUserCount(page)
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
picture('Manage Users', 'edit, with the to-do list', async ({ page, signedIn }) => {
  await signedIn('ADMIN')
  await openEdit(page)
  await page.getByRole('button', { name: 'To-do list and claims' }).click()
  await expect(page.getByText('As the veteran sees it on Home.')).toBeVisible()
})
picture('Manage Users', 'edit, with the emails', async ({ page, signedIn }) => {
  await signedIn('ADMIN')
  const times = { queuedAt: '2026-11-15T17:00:00.000Z', changedAt: '2026-11-15T17:06:00.000Z' }
  const sent = { id: '1', kinds: ['code'], state: 'sent', result: null, ...times }
  const failed = { kinds: ['appointment', 'claimStep'], state: 'failed', result: '5.1.1' }
  const deliveries = [
    { ...sent, ...failed },
    { ...sent, id: '2' },
  ]
  await page.route('**/deliveries', (route) => route.fulfill({ json: { deliveries } }))
  await page.route('**/email-reachable', (route) =>
    route.fulfill({ json: { emailReachable: false } }),
  )
  await openEdit(page)
  await page.getByRole('button', { name: 'Emails sent' }).click()
  await expect(page.getByText(/Came back/)).toBeVisible()
})
picture('Manage Users', 'edit, with a Box folder', async ({ page, signedIn }) => {
  await signedIn('ADMIN')
  const state = { problem: 'gone', otherOfContact: '281190442718' }
  const found = { name: 'Santiago, Roberto', parentName: 'Veterans of 2019', problem: null }
  await page.route('**/folder', (route) => route.fulfill({ json: state }))
  await page.route('**/folder/preview*', (route) => route.fulfill({ json: found }))
  await openEdit(page)
  await page.getByLabel('Box ID').fill('281190442719')
  await expect(page.getByRole('link', { name: /^Santiago, Roberto/ })).toBeVisible()
})
picture('Manage Users', 'edit, with an unknown Box folder', async ({ page, signedIn }) => {
  await signedIn('ADMIN')
  await openEdit(page)
  await page.getByLabel('Box ID').fill('999999999999')
  await expect(page.getByText(FOLDER_MESSAGES.gone)).toBeVisible()
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
picture('Manage Users', 'inactive account', async ({ page, account, signedIn }) => {
  const veteran = await account()
  await signedIn('ADMIN')
  await openUsers(page)
  await send(page, 'DELETE', `/admin/users/${await idOf(page, veteran)}`)
  await openUsers(page, '?status=inactive')
  await choose(page, veteran, 'Edit')
  await expect(page.getByText('This account is inactive.')).toBeVisible()
})
picture('Manage Users', 'documents', async ({ page, account, signedIn, mailbox }) => {
  const veteran = await signedIn()
  await sendFile(page, newPdf('Separation papers 1998.pdf'))
  await openSession(page, await account('STAFF'), mailbox)
  await openUsers(page)
  await choose(page, veteran, 'View Documents')
  await expect(page.getByText('0 requested, 1 uploaded')).toBeVisible()
})
