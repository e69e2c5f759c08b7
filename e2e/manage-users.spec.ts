import { randomInt } from 'node:crypto'
import type { MailboxClient } from '@guidon/sandbox/mailbox/client'
import type { Page } from '@playwright/test'
import type { Account } from './house/account.ts'
import { enterCode, enterPassword, expect, expectAccessible, signIn, test } from './house/test.ts'

// Two people sign in, each with a mailed code, before there is anything to see.
test.describe.configure({ timeout: 120_000 })

const NARROW = { width: 320, height: 640 }
const TEMPORARY = 'Harbor8?walnut-orbit'

async function openAs(page: Page, person: Account, mailbox: MailboxClient): Promise<void> {
  await signIn(page, person, mailbox)
  await expect(page.getByRole('heading', { level: 1, name: 'Manage Users' })).toBeFocused()
}

/** Of the table, or the card where there is none. */
const lineOf = (page: Page, { email }: Account) =>
  page.locator('tbody tr, main li').filter({ hasText: email })

async function find(page: Page, person: Account): Promise<void> {
  await page.getByPlaceholder('Search users...').fill(person.email)
  await expect(page.getByRole('status').filter({ hasText: /^1 user$/ })).toBeVisible()
  await expect(lineOf(page, person)).toBeVisible()
}

async function choose(page: Page, person: Account, action: string): Promise<void> {
  await find(page, person)
  await lineOf(page, person)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Staff have the account before them while its owner is signed in. */
async function editWhile(
  theirs: Page,
  veteran: Account,
  page: Page,
  staff: Account,
  mailbox: MailboxClient,
): Promise<void> {
  await signIn(theirs, veteran, mailbox)
  await expect(theirs).toHaveURL(/\/dashboard\/home$/)
  await openAs(page, staff, mailbox)
  await choose(page, veteran, 'Edit')
}

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** As the page itself would ask, whatever it offers. */
const ask = (page: Page, method: string, path: string, body?: unknown) =>
  page.evaluate(
    async ([how, where, what]) => {
      const answer = await fetch(where, {
        method: how,
        ...(what && { body: what, headers: { 'Content-Type': 'application/json' } }),
      })
      return answer.status
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  )

async function idOf(page: Page, { email }: Account): Promise<string> {
  const answer = await page.request.get(`/admin/users?q=${encodeURIComponent(email)}&limit=1`)
  return ((await answer.json()) as { users: { id: string }[] }).users[0]!.id
}

test('staff search, filter, sort and page, and the address keeps it', async ({
  page,
  account,
  mailbox,
  isMobile,
}) => {
  const veteran = await account()
  await openAs(page, await account('STAFF'), mailbox)
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^\d+ users$/ })).toBeVisible()
  await expectAccessible(page)

  await find(page, veteran)
  await expect(lineOf(page, veteran)).toContainText('Not linked')
  await expect(page.getByPlaceholder('Search users...')).toBeFocused()
  const role = page.getByRole('combobox', { name: 'Role' })
  await expect(role.getByRole('option')).toHaveText(['All Roles', 'Admin', 'User', 'Staff'])
  await role.selectOption('Admin')
  await expect(page.getByText('No users found')).toBeVisible()
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
  const kept = new URL(page.url()).searchParams
  expect(Object.fromEntries(kept)).toEqual({
    q: veteran.email,
    role: 'USER',
    sortBy: 'email',
    order: 'asc',
  })
  await page.reload()
  await expect(lineOf(page, veteran)).toBeVisible()
  await expect(role).toHaveValue('USER')

  await page.goto('/admin-dashboard?size=10')
  await expect(page.getByText(/^1–10 of \d+$/)).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText(/^11–\d+ of \d+$/)).toBeVisible()
  await page.getByRole('combobox', { name: 'Rows per page:' }).selectOption('25')
  await expect(page.getByText(/^1–25 of \d+$/)).toBeVisible()
  await page.setViewportSize(NARROW)
  await expectAccessible(page)
})

test('an administrator edits the external IDs of an account', async ({
  page,
  account,
  mailbox,
}) => {
  const veteran = await account()
  // One account has it at a time, and every browser does this on the same server.
  const folder = String(randomInt(100_000_000_000, 281_000_000_000_000))
  await openAs(page, await account('ADMIN'), mailbox)
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
  await edit.getByLabel('Box ID').fill(folder)
  await save.click()
  await expect(edit.getByText('User updated successfully!')).toBeVisible()
  await expect(edit).toBeHidden({ timeout: 4_000 })
  await expect(lineOf(page, veteran)).toContainText(folder)
  await expect(lineOf(page, veteran).getByRole('button')).toBeFocused()
  await page.reload()
  await expect(lineOf(page, veteran)).toContainText(folder)
})

test(
  'shows the documents of a linked user',
  { tag: '@once' },
  async ({ page, account, mailbox, salesforce }) => {
    const veteran = await account()
    await signIn(page, veteran, mailbox)
    await expect(page).toHaveURL(/\/dashboard\/home$/)
    const [contact] = await salesforce.rows<{ Id: string }>('Contact', { Email: veteran.email })
    await salesforce.staff('request-document', {
      contactId: contact!.Id,
      name: 'Buddy statement of 2004',
      type: 'Buddy statement',
    })
    const known = async () => (await page.request.get('/salesforce/documents/me')).text()
    await expect.poll(known, { timeout: 40_000 }).toContain('Buddy statement of 2004')

    await openAs(page, await account('STAFF'), mailbox)
    await find(page, veteran)
    await expect(lineOf(page, veteran).getByRole('link')).toHaveAttribute(
      'href',
      new RegExp(contact!.Id),
    )
    await choose(page, veteran, 'View Documents')
    const documents = dialog(page, 'User Documents')
    await expect(documents.getByRole('listitem')).toHaveText([/Buddy statement of 2004.*Requested/])
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(documents).toBeHidden()

    await page.route('**/salesforce/documents/*', (route) =>
      route.fulfill({ status: 503, json: { code: 'unexpected' } }),
    )
    await choose(page, veteran, 'View Documents')
    await expect(
      documents.getByText('Failed to load documents. Please try again later.'),
    ).toBeVisible()
  },
)

test(
  'a deleted user is refused at the very next request and at sign-in',
  { tag: '@once' },
  async ({ page, browser, account, mailbox, baseURL }) => {
    const veteran = await account()
    const theirs = await browser.newPage({ baseURL: baseURL! })
    await editWhile(theirs, veteran, page, await account('STAFF'), mailbox)
    await dialog(page, 'Edit User').getByRole('button', { name: 'Delete User' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete User' })
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Delete User' }).click()
    await expect(lineOf(page, veteran)).toContainText('Inactive')
    await expect(page.getByText(/^User deleted/)).toBeVisible()
    await expect(page.getByText(/^User deleted/)).toBeHidden({ timeout: 6_000 })
    await expectAccessible(page)

    expect((await theirs.request.get('/auth/check-auth')).status()).toBe(401)
    await theirs.goto('/signin')
    await theirs.getByLabel('Email').fill(veteran.email)
    await theirs.getByLabel('Password', { exact: true }).fill(veteran.password)
    await theirs.getByRole('button', { name: 'Sign In' }).click()
    await expect(theirs.getByRole('alert').filter({ hasText: '1-800-555-0142' })).toBeVisible()
    await theirs.close()
  },
)

test(
  'a password that staff set is temporary, and ends the sessions',
  { tag: '@once' },
  async ({ page, browser, account, mailbox, baseURL }) => {
    const veteran = await account()
    const theirs = await browser.newPage({ baseURL: baseURL! })
    await editWhile(theirs, veteran, page, await account('STAFF'), mailbox)
    await dialog(page, 'Edit User').getByRole('button', { name: 'Reset Password' }).click()
    const reset = dialog(page, 'Reset Password')
    const button = reset.getByRole('button', { name: 'Reset Password' })
    await reset.getByLabel('New password', { exact: true }).fill('Ab1!')
    await button.click()
    await expect(reset.getByText('Password must be at least 8 characters long')).toBeVisible()
    await reset.getByLabel('New password', { exact: true }).fill(TEMPORARY)
    await reset.getByLabel('Confirm password', { exact: true }).fill('Other8?walnut')
    await button.click()
    await expect(reset.getByText('Passwords do not match')).toBeVisible()
    await expectAccessible(page)
    await reset.getByLabel('Confirm password', { exact: true }).fill(TEMPORARY)
    await button.click()
    await expect(reset.getByText('Password has been reset successfully!')).toBeVisible()
    await expect(reset).toBeHidden({ timeout: 5_000 })

    expect((await theirs.request.get('/auth/check-auth')).status()).toBe(401)
    const [last] = await mailbox.mailsTo(veteran.email, { waitMs: 0 })
    await enterPassword(theirs, { ...veteran, password: TEMPORARY })
    await enterCode(theirs, await mailbox.codeFor(veteran.email, { after: last?.id ?? '' }))
    await expect(theirs).toHaveURL(/\/reset-password/)
    await theirs.close()
  },
)

test(
  'staff may not act on administrators, nor an administrator on itself',
  { tag: '@once' },
  async ({ page, account, mailbox }) => {
    const admin = await account('ADMIN')
    await openAs(page, await account('STAFF'), mailbox)
    await find(page, admin)
    await lineOf(page, admin)
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await expect(page.getByRole('menuitem')).toHaveText([/^Edit/, 'View Documents'])
    await expect(page.getByRole('menuitem', { name: /^Edit/ })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await expectAccessible(page)
    const path = `/admin/users/${await idOf(page, admin)}`
    expect(await ask(page, 'PATCH', path, { boxFolderId: '1' })).toBe(403)
    expect(await ask(page, 'DELETE', path)).toBe(403)
    const passwords = { newPassword: TEMPORARY, confirmPassword: TEMPORARY }
    expect(await ask(page, 'POST', `${path}/reset-password`, passwords)).toBe(403)

    await openAs(page, admin, mailbox)
    await choose(page, admin, 'Edit')
    const edit = dialog(page, 'Edit User')
    await expect(edit.getByRole('button', { name: 'Reset Password' })).toBeVisible()
    await expect(edit.getByRole('button', { name: 'Delete User' })).toHaveCount(0)
    expect(await ask(page, 'DELETE', path)).toBe(409)
  },
)
