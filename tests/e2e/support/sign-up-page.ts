import type { Page } from '@playwright/test'
import type { Account } from '../../support/outside/account.ts'

export async function fillSignUp(page: Page, account: Account): Promise<void> {
  await page.getByLabel('First name').fill(account.firstName)
  await page.getByLabel('Last name').fill(account.lastName)
  await page.getByLabel('State').selectOption(account.state)
  await page.getByLabel('Phone').fill('(619) 555-0134')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('checkbox', { name: /terms/i }).check()
}
