import { AxeBuilder } from '@axe-core/playwright'
import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { salesforceControl } from '@guidon/sandbox/salesforce/client'
import type { SalesforceControl } from '@guidon/sandbox/salesforce/client'
import { expect, test as base } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { Account } from './account.ts'

function from(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is set by the global setup`)
  return value
}

interface House {
  mailbox: MailboxClient
  /** The provider's side: its staff's actions, and what arrived there. */
  salesforce: SalesforceControl
  box: BoxSandboxClient
  /** A new account in the house; each test has its own people. */
  account(role?: Account['role']): Promise<Account>
}

/* oxlint-disable no-empty-pattern -- Playwright reads a fixture's needs from this pattern. */
export const test = base.extend<House>({
  baseURL: async ({}, use) => use(from('GUIDON_PORTAL')),
  mailbox: async ({}, use) => use(new MailboxClient(from('GUIDON_MAILBOX'))),
  salesforce: async ({}, use) => use(salesforceControl(from('GUIDON_SALESFORCE'))),
  box: async ({}, use) => use(new BoxSandboxClient(from('GUIDON_BOX'))),
  account: async ({}, use) => {
    await use(async (role = 'USER') => {
      const given = await fetch(`${from('GUIDON_PEOPLE_DESK')}/?role=${role}`)
      if (!given.ok) throw new Error(await given.text())
      return (await given.json()) as Account
    })
  },
})
/* oxlint-enable no-empty-pattern */

export { expect }

/** No violation of WCAG 2.2 A and AA, and nothing wider than the window. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
  )
  expect(found).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
}

export async function enterPassword(page: Page, account: Account): Promise<void> {
  await page.goto('/signin')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused()
}

export async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Digit 1 of 6').click()
  await page.keyboard.type(code)
  await page.getByRole('button', { name: 'Confirm' }).click()
}

export async function signIn(page: Page, account: Account, mailbox: MailboxClient): Promise<void> {
  await enterPassword(page, account)
  await enterCode(page, await mailbox.codeFor(account.email))
}
