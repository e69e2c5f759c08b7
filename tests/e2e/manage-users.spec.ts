import { randomUUID } from 'node:crypto'
import { getDocuments } from '@guidon/contract/documents'
import { FOLDER_MESSAGES } from '@guidon/contract/folders'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import { contactIdOf, expectInPortal } from './support/crm.ts'
import {
  choose,
  dialog,
  find,
  idOf,
  openManageUsers,
  rowOf,
  send,
} from './support/manage-users-page.ts'
import { openSession, signIn } from './support/session.ts'
import { expect, test } from './support/test.ts'

test.describe.configure({ timeout: 120_000 })

const TEMPORARY_PASSWORD = 'Harbor8?walnut-orbit'

test('staff search, filter, sort and page, and the URL keeps their choices', async ({
  page,
  account,
  signedIn,
  isMobile,
}) => {
  const veteran = await account()
  await signedIn('STAFF')
  await openManageUsers(page)
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^\d+ users$/ })).toBeVisible()
  await expectAccessible(page)

  await find(page, veteran)
  await expect(rowOf(page, veteran)).toContainText('Not linked')
  await expect(page.getByPlaceholder('Search users...')).toBeFocused()
  const role = page.getByRole('combobox', { name: 'Role' })
  await expect(role.getByRole('option')).toHaveText(['All Roles', 'Admin', 'User', 'Staff'])
  await role.selectOption('Admin')
  await expect(page.getByText('No users found.')).toBeVisible()
  await expectAccessible(page)
  await role.selectOption('User')
  if (isMobile) {
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Email, A to Z')
  } else {
    // By keyboard alone.
    await page.getByRole('button', { name: 'Email' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('columnheader', { name: /Email/ })).toHaveAttribute(
      'aria-sort',
      'ascending',
    )
  }
  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
    .toEqual({ q: veteran.email, role: 'USER', sortBy: 'email', order: 'asc' })
  const searches: string[] = []
  page.on('request', (request) => {
    if (/\/admin\/users\?.*\bq=/.test(request.url())) searches.push(request.url())
  })
  await page.reload()
  await expect(rowOf(page, veteran)).toBeVisible()
  await expect(role).toHaveValue('USER')
  expect(searches).toEqual([])

  await page.goto('/admin-dashboard?size=10')
  await expect(page.getByText(/^1–10 of \d+$/)).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText(/^11–\d+ of \d+$/)).toBeVisible()
  await page.getByRole('combobox', { name: 'Rows per page:' }).selectOption('25')
  await expect(page.getByText(/^1–25 of \d+$/)).toBeVisible()
  await page.setViewportSize(NARROWEST_WINDOW)
  await expectAccessible(page)
})

test(
  'an administrator edits the external IDs of an account',
  { tag: '@phone' },
  async ({ page, account, signedIn, box }) => {
    const veteran = await account()
    const parent = await box.addFolder(randomUUID())
    const { id: folder } = await box.addFolder('Santiago, Roberto', parent.id)
    await signedIn('ADMIN')
    await openManageUsers(page)
    await choose(page, veteran, 'Edit')
    const edit = dialog(page, 'Edit User')
    const save = edit.getByRole('button', { name: 'Save' })
    await expect(edit.getByLabel('Email')).toHaveValue(veteran.email)
    await expect(save).toBeDisabled()

    await edit.getByLabel('Salesforce ID').fill('0035e00001Nobody')
    await save.click()
    await expect(edit.getByText('There is no contact with this Salesforce ID.')).toBeVisible()
    await expectAccessible(page)

    await edit.getByLabel('Salesforce ID').fill('')
    await edit.getByLabel('Box ID').fill('999999999999')
    await expect(edit.getByText(FOLDER_MESSAGES.gone)).toBeVisible()
    await expectAccessible(page)
    await edit.getByLabel('Box ID').fill(folder)
    await expect(edit.getByRole('link', { name: /^Santiago, Roberto/ })).toBeVisible()
    await expect(edit.getByText(`In the folder ${parent.name}`).last()).toBeVisible()
    await expectAccessible(page)
    await save.click()
    await expect(edit.getByText('User updated successfully!')).toBeVisible()
    await expect(edit).toBeHidden()
    await expect(rowOf(page, veteran)).toContainText(folder)
    await expect(rowOf(page, veteran).getByRole('button')).toBeFocused()
    await page.reload()
    await expect(rowOf(page, veteran)).toContainText(folder)
  },
)

test(
  'staff see the documents of a linked user',
  { tag: '@desktop-only' },
  async ({ page, account, signedIn, mailbox, salesforce }) => {
    const veteran = await signedIn()
    const contactId = await contactIdOf(veteran, salesforce)
    await salesforce.staff('request-document', {
      contactId,
      name: 'Buddy statement of 2004',
      type: 'Buddy statement',
    })
    await expectInPortal(page, getDocuments.path, 'Buddy statement of 2004')

    await openSession(page, await account('STAFF'), mailbox)
    await openManageUsers(page)
    await find(page, veteran)
    await expect(rowOf(page, veteran).getByRole('link')).toHaveAttribute(
      'href',
      new RegExp(contactId),
    )
    await choose(page, veteran, 'View Documents')
    const documents = dialog(page, 'User Documents')
    await expect(documents.getByRole('listitem')).toHaveText([/Buddy statement of 2004.*Requested/])
    await expect(documents.getByText('1 requested, 0 uploaded')).toBeVisible()
    await expect(documents.getByRole('link', { name: /^Salesforce record/ })).toHaveAttribute(
      'href',
      new RegExp(contactId),
    )
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(documents).toBeHidden()
  },
)

test(
  'a deleted user is refused at the next request and at sign-in',
  { tag: '@desktop-only' },
  async ({ page, browser, account, signedIn, mailbox, baseURL }) => {
    const veteran = await account()
    const veteranPage = await browser.newPage({ baseURL: baseURL! })
    await openSession(veteranPage, veteran, mailbox)
    expect((await veteranPage.request.get('/auth/check-auth')).status()).toBe(200)
    await signedIn('STAFF')
    await openManageUsers(page)
    await choose(page, veteran, 'Edit')
    await dialog(page, 'Edit User').getByRole('button', { name: 'Delete User' }).click()
    const confirmation = page.getByRole('alertdialog', { name: 'Delete User' })
    await expect(confirmation.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expectAccessible(page)
    const red = await confirmation
      .getByRole('button', { name: 'Delete User' })
      .evaluate((button) => getComputedStyle(button).backgroundColor)
    expect(red).toBe('rgb(179, 38, 30)')
    await confirmation.getByRole('button', { name: 'Delete User' }).click()
    await expect(rowOf(page, veteran)).toContainText('Inactive')
    await expect(rowOf(page, veteran).getByRole('button')).toBeFocused()
    await expect(page.getByText(/^User deleted/)).toBeVisible()
    await expect(page.getByText(/^User deleted/)).toBeHidden()
    await expectAccessible(page)
    await choose(page, veteran, 'Edit')
    await expect(dialog(page, 'Edit User')).toContainText('Ask an admin to make it active again.')

    expect((await veteranPage.request.get('/auth/check-auth')).status()).toBe(401)
    await veteranPage.goto('/signin')
    await veteranPage.getByLabel('Email').fill(veteran.email)
    await veteranPage.getByLabel('Password', { exact: true }).fill(veteran.password)
    await veteranPage.getByRole('button', { name: 'Sign In' }).click()
    await expect(veteranPage.getByRole('alert').filter({ hasText: '1-800-555-0142' })).toBeVisible()
    await veteranPage.close()
  },
)

test(
  'a password set by staff is temporary, and ends the sessions',
  { tag: '@desktop-only' },
  async ({ page, browser, account, signedIn, mailbox, baseURL }) => {
    const veteran = await account()
    const veteranPage = await browser.newPage({ baseURL: baseURL! })
    await openSession(veteranPage, veteran, mailbox)
    expect((await veteranPage.request.get('/auth/check-auth')).status()).toBe(200)
    await signedIn('STAFF')
    await openManageUsers(page)
    await choose(page, veteran, 'Edit')
    await dialog(page, 'Edit User').getByRole('button', { name: 'Reset Password' }).click()
    const reset = dialog(page, 'Reset Password')
    const button = reset.getByRole('button', { name: 'Reset Password' })
    await reset.getByLabel('New password', { exact: true }).fill('Ab1!')
    await button.click()
    await expect(reset.getByText('Password must be at least 8 characters long')).toBeVisible()
    await reset.getByLabel('New password', { exact: true }).fill(TEMPORARY_PASSWORD)
    await reset.getByLabel('Confirm password', { exact: true }).fill('Other8?walnut')
    await button.click()
    await expect(reset.getByText('Passwords do not match')).toBeVisible()
    await expectAccessible(page)
    await reset.getByLabel('Confirm password', { exact: true }).fill(TEMPORARY_PASSWORD)
    await button.click()
    await expect(reset.getByText('Password has been reset successfully!')).toBeVisible()
    await expect(reset).toBeHidden()

    expect((await veteranPage.request.get('/auth/check-auth')).status()).toBe(401)
    await signIn(veteranPage, { ...veteran, password: TEMPORARY_PASSWORD }, mailbox)
    await expect(veteranPage).toHaveURL(/\/reset-password/)
    await veteranPage.close()
  },
)

test(
  'staff may not change administrators, and administrators may not delete themselves',
  { tag: '@desktop-only' },
  async ({ page, account, signedIn, mailbox }) => {
    const admin = await account('ADMIN')
    await signedIn('STAFF')
    await openManageUsers(page)
    await find(page, admin)
    await rowOf(page, admin)
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await expect(page.getByRole('menuitem')).toHaveText([/^Edit/, 'View Documents'])
    await expect(page.getByRole('menuitem', { name: /^Edit/ })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await expectAccessible(page)
    const path = `/admin/users/${await idOf(page, admin)}`
    expect(await send(page, 'PATCH', path, { boxFolderId: '1' })).toBe(403)
    expect(await send(page, 'DELETE', path)).toBe(403)
    expect(await send(page, 'POST', `${path}/reactivate`)).toBe(403)
    const passwords = { newPassword: TEMPORARY_PASSWORD, confirmPassword: TEMPORARY_PASSWORD }
    expect(await send(page, 'POST', `${path}/reset-password`, passwords)).toBe(403)

    await openSession(page, admin, mailbox)
    await openManageUsers(page)
    await choose(page, admin, 'Edit')
    const edit = dialog(page, 'Edit User')
    await expect(edit.getByRole('button', { name: 'Reset Password' })).toBeVisible()
    await expect(edit.getByRole('button', { name: 'Delete User' })).toHaveCount(0)
    expect(await send(page, 'DELETE', path)).toBe(409)
  },
)
