import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { login } from '@guidon/contract/auth'
import { saveIntake } from '@guidon/contract/intake'
import { forgotPassword } from '@guidon/contract/password'
import { screens } from '@guidon/contract/screens'
import { register, signUp } from '@guidon/contract/sign-up'
import type { Page } from '@playwright/test'
import { newAccount, type Account } from '../../support/outside/account.ts'
import {
  chooseFiles,
  clickInDialog,
  newPdf,
  openDialog,
  uploadDialog,
} from '../support/documents-page.ts'
import { idOf, openManageUsers, send } from '../support/manage-users-page.ts'
import { openHome, openSession, portalHeaders } from '../support/session.ts'
import { expect } from '../support/test.ts'
import { picture, type Tools } from './picture.ts'

const NEW_PASSWORD = 'Anchor5!meadow-river'

async function post(page: Page, path: string, data: Record<string, unknown>): Promise<void> {
  const response = await page.request.post(path, { data, ...portalHeaders() })
  expect(response.ok(), await response.text()).toBe(true)
}

/** Takes pictures of the email that `cause` leads to, as a mail client shows it. */
function email(name: string, subject: string, cause: (tools: Tools) => Promise<Account>): void {
  picture('Emails', name, async (tools) => {
    const { page, mailbox } = tools
    const { email: to } = await cause(tools)
    const [mail] = await mailbox.mailsTo(to, { subject, waitMs: 60_000 })
    expect(mail, `an email to ${to} about ${subject}`).toBeDefined()
    // Not on the mailbox's own page, which allows no scripts: taking a picture runs scripts in the page.
    await page.goto('about:blank')
    await page.setContent(mail!.html)
  })
}

email('sign-up code', 'verification code', async ({ page }) => {
  const maria = newAccount()
  await post(page, register.path, signUp.parse(maria))
  return maria
})
email('account exists', 'already have', async ({ page, account }) => {
  const james = await account()
  await post(page, register.path, signUp.parse(james))
  return james
})
email('sign-in code', 'sign-in code', async ({ page, account }) => {
  const james = await account()
  await post(page, login.path, { email: james.email, password: james.password })
  return james
})
email('new device', 'New sign-in', async ({ page, mailbox, signedIn }) => {
  const james = await signedIn()
  await page.context().clearCookies()
  await openSession(page, james, mailbox)
  return james
})
email('reset link', 'Reset your', async ({ page, account }) => {
  const james = await account()
  await post(page, forgotPassword.path, { email: james.email })
  return james
})
email('password changed', 'was changed', async ({ page, signedIn }) => {
  const james = await signedIn()
  await page.goto(screens.settings)
  await page.getByLabel('Current password', { exact: true }).fill(james.password)
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByText(/successfully updated/)).toBeVisible()
  return james
})
email('temporary password', 'reset by our staff', async ({ page, account, signedIn }) => {
  const james = await account()
  await signedIn('ADMIN')
  const found = await page.request.get(`/admin/users?q=${encodeURIComponent(james.email)}&limit=1`)
  const { users } = (await found.json()) as { users: { id: string }[] }
  const passwords = { newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }
  await post(page, `/admin/users/${users[0]!.id}/reset-password`, passwords)
  return james
})
email('account active again', 'active again', async ({ page, account, signedIn }) => {
  const james = await account()
  await signedIn('ADMIN')
  await openManageUsers(page)
  const path = `/admin/users/${await idOf(page, james)}`
  await send(page, 'DELETE', path)
  await send(page, 'POST', `${path}/reactivate`)
  return james
})
email('intake received', 'intake', async ({ page, signedIn }) => {
  const james = await signedIn()
  await page.request.patch(saveIntake.path, {
    data: { city: 'Reno', submit: true },
    ...portalHeaders(),
  })
  return james
})
email('documents received', 'received your', async ({ page, signedIn }) => {
  const james = await signedIn()
  await openHome(page)
  await openDialog(page)
  await chooseFiles(page, [newPdf('Separation papers 1998.pdf')])
  await uploadDialog(page).getByRole('combobox').selectOption('Other')
  await clickInDialog(page, 'Upload')
  await expect(uploadDialog(page)).toBeHidden({ timeout: 20_000 })
  return james
})
const noticeEmails = JSON.parse(
  execFileSync(process.execPath, [
    resolve(import.meta.dirname, '../../support/notice-emails-process.ts'),
  ]).toString(),
) as Record<string, string>
for (const [name, html] of Object.entries(noticeEmails)) {
  picture('Emails', `notice, ${name}`, ({ page }) => page.setContent(html))
}

picture('Mailbox', 'message', async ({ page, account, mailbox }) => {
  const { email: to, password } = await account()
  await post(page, login.path, { email: to, password })
  await mailbox.codeFor(to)
  await page.goto(`${mailbox.url}/?to=${to}`)
  await page.getByRole('link', { name: /code/ }).click()
})
