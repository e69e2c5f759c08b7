import { screens } from '@guidon/contract/screens'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { Account } from '../../support/outside/account.ts'

export async function openManageUsers(page: Page): Promise<void> {
  await page.goto(screens.adminDashboard)
  await expect(page.getByRole('heading', { level: 1, name: 'Manage Users' })).toBeVisible()
}

/** The account's row of the table, or its card on a phone. */
export const rowOf = (page: Page, { email }: Account) =>
  page.locator('tbody tr, main li').filter({ hasText: email })

export async function find(page: Page, account: Account): Promise<void> {
  await page.getByPlaceholder('Search users...').fill(account.email)
  await expect(page.getByRole('status').filter({ hasText: /^1 user$/ })).toBeVisible()
  await expect(rowOf(page, account)).toBeVisible()
}

export async function choose(page: Page, account: Account, action: string): Promise<void> {
  await find(page, account)
  await rowOf(page, account)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Sends a request from the page, without its buttons, and returns the status of the response. */
export const send = (page: Page, method: string, path: string, body?: unknown) =>
  page.evaluate(
    async ([verb, url, json]) => {
      const response = await fetch(url, {
        method: verb,
        ...(json && { body: json, headers: { 'Content-Type': 'application/json' } }),
      })
      return response.status
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  )

export async function idOf(page: Page, { email }: Account): Promise<string> {
  const response = await page.request.get(`/admin/users?q=${encodeURIComponent(email)}&limit=1`)
  return ((await response.json()) as { users: { id: string }[] }).users[0]!.id
}
