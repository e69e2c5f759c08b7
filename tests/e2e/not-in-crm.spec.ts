import { screens } from '@guidon/contract/screens'
import { expectAccessible } from './support/accessibility.ts'
import { CRM_CHANGE_TIMEOUT } from './support/case-page.ts'
import { contactIdOf } from './support/crm.ts'
import { card, newPdf, sendFile } from './support/documents-page.ts'
import { choose, dialog, openManageUsers } from './support/manage-users-page.ts'
import { useOwnStack } from './support/own-stack.ts'
import { openHome, openSession } from './support/session.ts'
import { expect, test } from './support/test.ts'

const stack = useOwnStack({})

test(
  'a file that Salesforce refuses is shown as such, until the cause is corrected and it is sent again',
  { tag: '@desktop-only' },
  async ({ page, account, signedIn, mailbox, salesforce, browser, baseURL }) => {
    test.setTimeout(240_000)
    const james = await account()
    const veteran = await browser.newPage({ baseURL: baseURL! })
    await openSession(veteran, james, mailbox)
    const contactId = await contactIdOf(james, salesforce)
    const [contact] = await salesforce.rows<{ Portal_User_Id__c: string }>('Contact', {
      Id: contactId,
    })
    await salesforce.staff('edit-contact', { contactId, Portal_User_Id__c: '' })
    const file = newPdf('Separation papers.pdf')
    await sendFile(veteran, file)
    await openHome(veteran)
    const shown = card(veteran, file.name)

    await test.step('the veteran reads that it is safe, and has nothing to do', async () => {
      const text = shown.getByText(
        /It is not in your records yet, .* There is nothing you need to do\.$/,
      )
      await expect(text).toBeVisible(CRM_CHANGE_TIMEOUT)
      await expect(shown.getByText('Received', { exact: true })).toBeVisible()
      await expectAccessible(veteran)
    })

    await signedIn('STAFF')
    await openManageUsers(page)
    const documents = dialog(page, 'User Documents')
    await test.step('staff read what Salesforce refused, and what to do', async () => {
      await choose(page, james, 'View Documents')
      await expect(documents.getByRole('listitem')).toContainText('Refused by Salesforce')
      await expect(documents.getByRole('status')).toContainText(
        /Salesforce refused a document\..*Portal_User_Id__c.*the operator of the portal sends them again\.$/,
      )
      await expect(documents.getByRole('link', { name: 'Open file' })).toBeVisible()
      await expectAccessible(page)
      await documents.getByRole('button', { name: 'Close' }).click()
    })

    await test.step('once it is sent again, both read that it is in the records', async () => {
      await salesforce.staff('edit-contact', {
        contactId,
        Portal_User_Id__c: contact!.Portal_User_Id__c,
      })
      await stack.admin(['crm', 'send-again'])
      await expect(shown.getByText('In your records', { exact: true })).toBeVisible(
        CRM_CHANGE_TIMEOUT,
      )
      await page.goto(screens.adminDashboard)
      await choose(page, james, 'View Documents')
      await expect(documents.getByRole('listitem')).toContainText('In the records')
      await expect(documents.getByText(/refused/)).toHaveCount(0)
    })
    await veteran.close()
  },
)
