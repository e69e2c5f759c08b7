import { randomUUID } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test as base } from '@playwright/test'
import type { Page } from '@playwright/test'
import { Mailbox } from './mailbox.ts'

export interface Account {
  email: string
  password: string
  firstName: string
  lastName: string
  phone: string
  state: string
  role: 'USER' | 'STAFF' | 'ADMIN'
}

export function newAccount(role: Account['role'] = 'USER'): Account {
  return {
    email: `james.${randomUUID().slice(0, 8)}@example.com`,
    password: 'Copper7!lantern-harbor',
    firstName: 'James',
    lastName: 'Whitfield',
    phone: '6195550134',
    state: 'California',
    role,
  }
}

function given(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is set by the global setup`)
  return value
}

interface House {
  mailbox: Mailbox
  /** A new account in the house; each test has its own people. */
  account(role?: Account['role']): Promise<Account>
}

/* oxlint-disable no-empty-pattern -- Playwright reads a fixture's needs from this pattern. */
export const test = base.extend<House>({
  baseURL: async ({}, use) => use(given('GUIDON_PORTAL')),
  mailbox: async ({}, use) => use(new Mailbox(given('GUIDON_MAILBOX'))),
  account: async ({}, use) => {
    await use(async (role) => {
      const account = newAccount(role)
      const made = await fetch(given('GUIDON_PEOPLE_DESK'), {
        method: 'POST',
        body: JSON.stringify([account]),
      })
      if (!made.ok) throw new Error(await made.text())
      return account
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

export async function signIn(page: Page, account: Account, mailbox: Mailbox): Promise<void> {
  await enterPassword(page, account)
  await enterCode(page, await mailbox.codeFor(account.email))
}
