import type { Page } from '@playwright/test'
import { address } from './addresses.ts'

const DAY_MS = 86_400_000
const PORTAL_WAIT_MS = 30_000

/** A change in the CRM is on the open screen within this time, without a reload. */
export const CRM_CHANGE_TIMEOUT = { timeout: PORTAL_WAIT_MS }

/** yyyy-mm-dd */
export const inDays = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** `December 3`, with the year if it is not the current one. */
export function dayText(date: string): string {
  const sameYear = date.slice(0, 4) === inDays(0).slice(0, 4)
  const year = sameYear ? {} : ({ year: 'numeric' } as const)
  return new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    month: 'long',
    day: 'numeric',
    ...year,
  }).format(Date.parse(date))
}

export const todoSection = (page: Page) => page.getByRole('region', { name: 'What you need to do' })

export const todoItem = (page: Page, title: string) =>
  todoSection(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 3, name: title, exact: true }) })

/** The titles of the list, from top to bottom. */
export const todoTitles = (page: Page) => todoSection(page).getByRole('heading', { level: 3 })

export const claimSection = (page: Page) =>
  page.getByRole('region', { name: /^Where your claims? stands?$/ })

/** Opens the contact's page in the CRM, as the provider's staff. */
export async function openCrmContact(page: Page, contactId: string): Promise<void> {
  await page.goto(`${address('GUIDON_SALESFORCE')}/contacts/${contactId}`)
}

/** The heading of a section. */
export const sectionHeading = (page: Page, name: string) =>
  page.getByRole('main').getByRole('heading', { level: 2, name, exact: true })
