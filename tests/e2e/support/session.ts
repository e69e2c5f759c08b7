import { login, verifyLogin } from '@guidon/contract/auth'
import { screens } from '@guidon/contract/screens'
import type { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { Account } from '../../support/outside/account.ts'
import { address } from './addresses.ts'

/** The headers of a request that the portal's own page would send. */
export const portalHeaders = () => ({ headers: { origin: address('GUIDON_PORTAL') } })

/**
 * Signs in by two API calls and the emailed code, without loading a screen. For journeys that test
 * something other than signing in.
 */
export async function openSession(page: Page, account: Account, mailbox: MailboxClient) {
  const post = async (path: string, data: Record<string, string>) => {
    const response = await page.request.post(path, { data, ...portalHeaders() })
    expect(response.ok(), await response.text()).toBe(true)
  }
  const { email, password } = account
  const nextCode = await mailbox.nextCode(email)
  await post(login.path, { email, password })
  await post(verifyLogin.path, { email, code: await nextCode() })
}

/** Signs in through the screens. */
export async function signIn(page: Page, account: Account, mailbox: MailboxClient): Promise<void> {
  const nextCode = await mailbox.nextCode(account.email)
  await enterPassword(page, account)
  await enterCode(page, await nextCode())
}

export async function enterPassword(page: Page, account: Account): Promise<void> {
  await page.goto(screens.signIn)
  await submitPassword(page, account)
}

export async function submitPassword(page: Page, account: Account): Promise<void> {
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByLabel('Digit 1 of 6')).toBeFocused()
}

export async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Digit 1 of 6').click()
  await page.keyboard.type(code)
  await page.getByRole('button', { name: 'Confirm' }).click()
}

export async function openHome(page: Page): Promise<void> {
  await page.goto(screens.home)
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome, James' })).toBeVisible()
}

/** Logs out by the menu of the dashboard, which asks for confirmation on a phone. */
export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out' }).click()
  if ((page.viewportSize()?.width ?? 0) >= 900) return
  const question = page.getByRole('alertdialog', { name: 'Log out?' })
  await question.getByRole('button', { name: 'Log out' }).click()
}
