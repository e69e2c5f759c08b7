import { checkAuth } from '@guidon/contract/auth'
import { getDocuments } from '@guidon/contract/documents'
import { pathOf } from '@guidon/contract/endpoint'
import { listLinksToConfirm, notMeVoid, previewContact } from '@guidon/contract/links'
import { USER_UPDATED } from '@guidon/contract/manage-users'
import { screens } from '@guidon/contract/screens'
import { queryOnce } from '@guidon/sandbox/postgres/query'
import type { SalesforceControl } from '@guidon/sandbox/salesforce/client'
import type { Page } from '@playwright/test'
import type { Account } from '../support/outside/account.ts'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import { address } from './support/addresses.ts'
import { CRM_CHANGE_TIMEOUT, inDays } from './support/case-page.ts'
import { contactIdOf, expectInPortal } from './support/crm.ts'
import { card, newPdf, sendFile } from './support/documents-page.ts'
import { choose, dialog, idOf, openManageUsers } from './support/manage-users-page.ts'
import { enterCode, openHome, openSession } from './support/session.ts'
import { expect, test } from './support/test.ts'

test.describe.configure({ timeout: 240_000 })

/** A contact of another person, as the provider's staff enter it. */
const addContact = (salesforce: SalesforceControl, fields: Record<string, string>) =>
  salesforce.staff('add-contact', {
    FirstName: 'James',
    LastName: 'Whitfield',
    MailingState: 'California',
    ...fields,
  })

const question = (page: Page, { email }: Account) =>
  page
    .getByRole('list', { name: 'Links to confirm' })
    .getByRole('listitem')
    .filter({ hasText: email })

/** Waits until staff are asked about the account, and opens the list from Manage Users. */
async function openQuestions(staff: Page, account: Account): Promise<void> {
  await expectInPortal(staff, listLinksToConfirm.path, account.email)
  await openManageUsers(staff)
  await staff.getByRole('link', { name: /^Links to confirm \d+ waiting$/ }).click()
  await expect(staff.getByRole('heading', { level: 1, name: 'Links to confirm' })).toBeFocused()
  await expect(question(staff, account)).toBeVisible()
}

async function openDecision(staff: Page, account: Account): Promise<void> {
  await question(staff, account)
    .getByRole('link', { name: /^Decide/ })
    .click()
  const heading = { level: 1, name: 'Is this the same person?' }
  await expect(staff.getByRole('heading', heading)).toBeFocused()
  await expect(staff.getByRole('radio').first()).toBeVisible()
}

/** Waits until the portal has the contact. */
async function expectContactKnown(staff: Page, account: Account, contactId: string) {
  const path = pathOf(previewContact, { id: await idOf(staff, account) })
  await expectInPortal(staff, `${path}?salesforceId=${contactId}`, '"compared"')
}

/** As if everybody's last sign-in to this account were ten minutes ago. */
const ageSignIn = ({ email }: Account) =>
  queryOnce(
    address('GUIDON_DATABASE'),
    `update sessions set created_at = created_at - interval '10 minutes'
     where user_id = (select id from users where email = $1)`,
    [email],
  )

test('staff confirm a link after a merge, and sign in again for it', async ({
  page,
  account,
  signedIn,
  mailbox,
  salesforce,
  browser,
  baseURL,
}) => {
  const james = await account()
  const veteran = await browser.newPage({ baseURL: baseURL! })
  await openSession(veteran, james, mailbox)
  const own = await contactIdOf(james, salesforce)
  const staff = await signedIn('STAFF')
  const phone = '8505550199'
  const left = await addContact(salesforce, { Email: `old.${james.email}`, Phone: phone })
  const clinicName = 'Harbor Orthopedic Clinic'
  const appointment = { date: inDays(5), time: '09:30', clinicName }
  await salesforce.staff('add-appointment', { contactId: left, ...appointment })
  await expectContactKnown(page, james, left)
  await salesforce.staff('merge-contacts', { contactId: left, loserId: own })

  await test.step('the question waits, and the account sees nothing new', async () => {
    await openQuestions(page, james)
    await expectAccessible(page)
    await openHome(veteran)
    await expect(veteran.getByText('No upcoming appointments scheduled.')).toBeVisible()
  })

  await test.step('both sides are compared, with the number of the contact', async () => {
    await openDecision(page, james)
    await expect(page.getByText(/^Two contacts were merged in Salesforce\./)).toBeVisible()
    await expect(page.getByText('Different').first()).toBeVisible()
    await page.getByRole('radio', { name: 'I cannot tell yet' }).check()
    await expect(page.getByRole('link', { name: '(850) 555-0199' })).toBeVisible()
    await expectAccessible(page)
    const size = page.viewportSize()!
    await page.setViewportSize(NARROWEST_WINDOW)
    await expectAccessible(page)
    await page.setViewportSize(size)
  })

  await test.step('a decision without a reason is not sent', async () => {
    await page.getByRole('radio', { name: 'Yes, link them' }).check()
    await page.getByRole('button', { name: 'Confirm the link' }).click()
    await expect(page.getByLabel('Why? (kept in the history)')).toBeFocused()
    await expectAccessible(page)
  })

  await test.step('staff sign in again, and the decision is sent by itself', async () => {
    await ageSignIn(staff)
    await page.getByLabel('Why? (kept in the history)').fill('Called them. A new email since June.')
    await page.getByRole('button', { name: 'Confirm the link' }).click()
    const again = dialog(page, 'Sign in again')
    await expect(again.getByLabel('Email')).toHaveValue(staff.email)
    await expect(again.getByLabel('Password', { exact: true })).toBeFocused()
    await expectAccessible(page)
    const nextCode = await mailbox.nextCode(staff.email)
    await again.getByLabel('Password', { exact: true }).fill(staff.password)
    await again.getByRole('button', { name: 'Continue' }).click()
    await expect(again.getByLabel('Digit 1 of 6')).toBeFocused()
    await expectAccessible(page)
    await enterCode(page, await nextCode())
    await expect(page.getByText('The link is confirmed.')).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`${screens.linksToConfirm}$`))
    await expect(question(page, james)).toHaveCount(0)
  })

  await test.step('the veteran sees the appointment of the contact, and gets an email', async () => {
    await expect(veteran.getByRole('main').getByText(clinicName).first()).toBeVisible(
      CRM_CHANGE_TIMEOUT,
    )
    expect(await mailbox.mailsTo(james.email, { subject: 'shows your records' })).toHaveLength(1)
  })
  await veteran.close()
})

test('staff see whose a pasted ID is before they save it, and the link waits', async ({
  page,
  account,
  signedIn,
  salesforce,
}) => {
  const james = await account()
  await signedIn('STAFF')
  const email = `linda.${james.email}`
  const stranger = { FirstName: 'Linda', LastName: 'Chow', Email: email, Phone: '4045550118' }
  const contactId = await addContact(salesforce, stranger)
  await expectContactKnown(page, james, contactId)
  await openManageUsers(page)
  await choose(page, james, 'Edit')
  const edit = dialog(page, 'Edit User')
  await edit.getByLabel('Salesforce ID').fill(contactId)
  const row = (name: string) =>
    edit
      .getByRole('list', { name: 'Account and contact' })
      .getByRole('listitem')
      .filter({ has: page.getByText(name, { exact: true }) })
  await expect(row('Email')).toContainText(email)
  await expect(row('Email')).toContainText('Different')
  await expect(row('Phone')).toContainText('(404) 555-0118')
  await expect(row('State')).toContainText('Same')
  await expect(edit.getByText(/After Save, the link waits in Links to confirm\./)).toBeVisible()
  await expectAccessible(page)

  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByText('Saved. The link waits in Links to confirm.')).toBeVisible()
  await expect(edit.getByText(USER_UPDATED)).toHaveCount(0)
  await edit.getByRole('link', { name: 'Links to confirm' }).click()
  await expect(question(page, james)).toContainText('Contact: Linda Chow.')
  await openDecision(page, james)
  await page.getByRole('radio', { name: 'No, different people' }).check()
  await page.getByLabel('Why? (kept in the history)').fill('The ID of another client.')
  await page.getByRole('button', { name: 'Save the decision' }).click()
  await expect(page.getByText('The link is refused.')).toBeVisible()
  await expect(question(page, james)).toHaveCount(0)
})

test(
  'the link in the email hides the records and signs the account out, and staff are asked',
  { tag: '@phone' },
  async ({ page, account, mailbox, salesforce, browser, baseURL }) => {
    const james = await account()
    await addContact(salesforce, { Email: james.email, Phone: james.phone })
    const veteran = await browser.newPage({ baseURL: baseURL! })
    await openSession(veteran, james, mailbox)
    const [mail] = await mailbox.mailsTo(james.email, {
      subject: 'shows your records',
      waitMs: 60_000,
    })
    const link = /http\S+\/not-me#[\w.-]+/.exec(mail!.text)![0]

    await test.step('opening the link changes nothing', async () => {
      await page.goto(link)
      await expect(page.getByRole('heading', { level: 1, name: 'This was not me' })).toBeVisible()
      await expect(page).toHaveURL(new RegExp(`${screens.notMe}$`))
      await expectAccessible(page)
      expect((await veteran.request.get(checkAuth.path)).status()).toBe(200)
    })

    await test.step('the button does', async () => {
      await page.getByRole('button', { name: 'Hide the records and sign out' }).click()
      await expect(page.getByText(/^Done\. The records are hidden/)).toBeFocused()
      await expectAccessible(page)
      expect((await veteran.request.get(checkAuth.path)).status()).toBe(401)
    })

    await test.step('staff are asked', async () => {
      const staff = await browser.newPage({ baseURL: baseURL! })
      await openSession(staff, await account('STAFF'), mailbox)
      await openQuestions(staff, james)
      await expect(question(staff, james)).toContainText('pressed “This was not me” in an email')
      await staff.close()
    })
    await veteran.close()

    await test.step('a link that nobody signed is void', async () => {
      await page.goto(screens.signIn)
      await page.goto(`${screens.notMe}#abc.def`)
      await page.getByRole('button', { name: 'Hide the records and sign out' }).click()
      await expect(page.getByText(notMeVoid.message)).toBeVisible()
      await expectAccessible(page)
    })
  },
)

test(
  'what a veteran sends waits while the contact is deleted, and arrives with the next one',
  { tag: '@desktop-only' },
  async ({ page, account, signedIn, mailbox, salesforce, browser, baseURL }) => {
    const james = await account()
    const veteran = await browser.newPage({ baseURL: baseURL! })
    await openSession(veteran, james, mailbox)
    const deleted = await contactIdOf(james, salesforce)
    await signedIn('STAFF')
    await salesforce.staff('delete-row', { id: deleted })
    await openQuestions(page, james)
    await expect(question(page, james)).toContainText('Contact is deleted in Salesforce')
    const file = newPdf('Separation papers.pdf')

    await test.step('a document is received, and says that it is not in the records yet', async () => {
      await sendFile(veteran, file)
      await expectInPortal(veteran, getDocuments.path, file.name)
      await openHome(veteran)
      await expect(
        card(veteran, file.name).getByText(/It is not in your records yet/),
      ).toBeVisible()
    })

    await test.step('a deleted contact cannot be confirmed', async () => {
      await openDecision(page, james)
      await expect(page.getByText(/Enter the ID of another one in Edit User\./)).toBeVisible()
      await expect(page.getByRole('radio')).toHaveCount(2)
      await expectAccessible(page)
      await page.getByRole('link', { name: /in Manage Users$/ }).click()
    })

    const contactId = await addContact(salesforce, { Email: james.email, Phone: james.phone })
    await test.step('staff enter the right contact, which is linked at once', async () => {
      await expectContactKnown(page, james, contactId)
      await choose(page, james, 'Edit')
      const edit = dialog(page, 'Edit User')
      await edit.getByLabel('Salesforce ID').fill(contactId)
      await expect(edit.getByRole('list', { name: 'Account and contact' })).toBeVisible()
      await expect(edit.getByText(/After Save, the link waits/)).toHaveCount(0)
      await edit.getByRole('button', { name: 'Save' }).click()
      await expect(edit.getByText(USER_UPDATED)).toBeVisible()
    })

    await test.step('what waited arrives in Salesforce', async () => {
      const values = { Veteran__c: contactId, Name: file.name }
      expect(await salesforce.rows('Document_Request__c', values, 60_000)).toHaveLength(1)
      const documents = card(veteran, file.name)
      await expect(documents.getByText('In your records', { exact: true })).toBeVisible(
        CRM_CHANGE_TIMEOUT,
      )
      await page.goto(screens.linksToConfirm)
      await expect(page.getByRole('heading', { level: 1, name: 'Links to confirm' })).toBeVisible()
      await expect(question(page, james)).toHaveCount(0)
    })
    await veteran.close()
  },
)
