import type { SalesforceControl } from '@guidon/sandbox/salesforce/client'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { Account } from '../../support/outside/account.ts'

/** Waits for the account's contact in the CRM, which the first sign-in creates. */
export async function contactIdOf(
  { email }: Account,
  salesforce: SalesforceControl,
): Promise<string> {
  const [contact] = await salesforce.rows<{ Id: string }>('Contact', { Email: email })
  if (!contact) throw new Error(`the CRM has no contact for ${email}`)
  return contact.Id
}

/** Waits until the portal has read a change from the CRM. */
export async function expectInPortal(page: Page, path: string, text: string): Promise<void> {
  const response = async () => (await page.request.get(path)).text()
  await expect.poll(response, { timeout: 40_000 }).toContain(text)
}
