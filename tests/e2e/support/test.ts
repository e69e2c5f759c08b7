import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { salesforceControl } from '@guidon/sandbox/salesforce/client'
import type { SalesforceControl } from '@guidon/sandbox/salesforce/client'
import { expect, test as base } from '@playwright/test'
import type { Account } from '../../support/outside/account.ts'
import { address } from './addresses.ts'
import { watchFocus } from './focus-guard.ts'
import { openSession } from './session.ts'

export interface Fixtures {
  /** Whether a journey fails when the focus falls to `body`. */
  failOnLostFocus: boolean
  mailbox: MailboxClient
  /** Acts as the provider's staff in the CRM, and reads its rows. */
  salesforce: SalesforceControl
  box: BoxSandboxClient
  /** Returns a new account that no other test uses. */
  account(role?: Account['role']): Promise<Account>
  /** Returns a new account, signed in on `page` through the API. */
  signedIn(role?: Account['role']): Promise<Account>
}

/* oxlint-disable no-empty-pattern -- Playwright reads a fixture's needs from this pattern. */
export const test = base.extend<Fixtures>({
  baseURL: async ({}, use) => use(address('GUIDON_PORTAL')),
  failOnLostFocus: [true, { option: true }],
  context: async ({ context, failOnLostFocus }, use) => {
    if (!failOnLostFocus) return use(context)
    const focus = await watchFocus(context)
    await use(context)
    await focus.settled()
    expect(focus.losses, 'the focus was lost').toEqual([])
  },
  mailbox: async ({}, use) => use(new MailboxClient(address('GUIDON_MAILBOX'))),
  salesforce: async ({}, use) => use(salesforceControl(address('GUIDON_SALESFORCE'))),
  box: async ({}, use) => use(new BoxSandboxClient(address('GUIDON_BOX'))),
  account: async ({}, use) => {
    await use(async (role = 'USER') => {
      const response = await fetch(`${address('GUIDON_ACCOUNTS')}/?role=${role}`)
      if (!response.ok) throw new Error(await response.text())
      return (await response.json()) as Account
    })
  },
  signedIn: async ({ page, account, mailbox }, use) => {
    await use(async (role) => {
      const created = await account(role)
      await openSession(page, created, mailbox)
      return created
    })
  },
})
/* oxlint-enable no-empty-pattern */

export { expect }
