import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { getDocuments } from '@guidon/contract/documents'
import { EMAIL_UNREACHABLE_STAFF, SECURITY_MAIL_ALWAYS } from '@guidon/contract/notice-words'
import {
  EMAIL_UNREACHABLE,
  getNoticePreferences,
  NOTICE_PREFERENCES_FAILED,
  noticeLinkVoid,
  NOTICE_KINDS,
} from '@guidon/contract/notices'
import { forgotPassword } from '@guidon/contract/password'
import { getUserInfo } from '@guidon/contract/profile'
import { screens } from '@guidon/contract/screens'
import { CRISIS_CALL } from '@guidon/contract/trust'
import type { MailboxClient } from '@guidon/sandbox/mailbox/client'
import type { SalesforceControl } from '@guidon/sandbox/salesforce/client'
import type { Page } from '@playwright/test'
import { newAccount, type Account } from '../support/outside/account.ts'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import { todoItem } from './support/case-page.ts'
import { contactIdOf, expectInPortal } from './support/crm.ts'
import { chooseFiles, clickInDialog, newPdf, uploadDialog } from './support/documents-page.ts'
import { failRequests } from './support/failing-requests.ts'
import { choose, dialog, openManageUsers } from './support/manage-users-page.ts'
import {
  documentsWithReminder,
  dueDateOfNextReminder,
  endHoldingTime,
  holdingMinutes,
  letTwoDaysPass,
  openNotices,
  runJob,
  stateAtDaytime,
} from './support/notices.ts'
import { useOwnStack } from './support/own-stack.ts'
import {
  enterCode,
  logOut,
  openHome,
  openSession,
  portalHeaders,
  signIn,
} from './support/session.ts'
import { fillSignUp } from './support/sign-up-page.ts'
import { expect, test } from './support/test.ts'

const home = (page: Page) => page.getByRole('heading', { level: 1, name: 'Welcome, James' })
const question = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'Our terms have changed' })
const agreements = (page: Page) => page.getByRole('region', { name: 'Your agreements' })

async function openSettings(page: Page): Promise<void> {
  await page.goto(screens.settings)
  await expect(agreements(page).getByRole('listitem').first()).toBeVisible()
}

test.describe('consents', { tag: '@phone' }, () => {
  test.describe.configure({ mode: 'serial', timeout: 240_000 })
  const brand = mkdtempSync(join(tmpdir(), 'guidon-brand-'))
  cpSync(resolve(import.meta.dirname, '../../brand'), brand, { recursive: true })
  const stack = useOwnStack({ BRAND_DIR: brand })
  test.afterAll(() => rmSync(brand, { recursive: true, force: true }))

  /** Changes the terms as the provider does: the file, and a restart. */
  async function publishTerms(version: string, text: string): Promise<void> {
    const path = join(brand, 'legal/consents.json')
    const consents = JSON.parse(readFileSync(path, 'utf8')) as Record<string, object>
    consents['terms'] = { version, title: 'Terms of Service', text }
    writeFileSync(path, JSON.stringify(consents))
    await stack.restart()
  }

  test('a changed consent is asked once, at the next sign-in', async ({ page, mailbox }) => {
    const james = newAccount()

    await test.step('the sign-up records terms and privacy', async () => {
      await page.goto(screens.signUp)
      await fillSignUp(page, james)
      await page.getByRole('button', { name: 'Sign Up' }).click()
      await expect(page.getByLabel('Digit 1 of 6')).toBeFocused()
      await enterCode(page, await mailbox.codeFor(james.email))
      await expect(page).toHaveURL(/\/get-started$/)
      await openSettings(page)
      const given = agreements(page).getByRole('listitem')
      await expect(given.filter({ hasText: 'Terms of Service, version 2026-11-01' })).toBeVisible()
      await expect(given.filter({ hasText: 'Privacy Policy, version 2026-11-01' })).toBeVisible()
    })

    await test.step('a text that changes does not interrupt the session', async () => {
      await publishTerms('2027-01-01', 'I accept the new Terms of Service.')
      await openSettings(page)
      await logOut(page)
      await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
    })

    await test.step('the next sign-in asks, before any other screen', async () => {
      await signIn(page, james, mailbox)
      await expect(question(page)).toBeFocused()
      await expectAccessible(page)
      await page.goto(screens.home)
      await expect(question(page)).toBeVisible()
    })

    await test.step('the box must be ticked', async () => {
      await page.getByRole('button', { name: 'Accept and continue' }).click()
      const box = page.getByRole('checkbox', { name: /I accept the new Terms of Service/ })
      await expect(box).toBeFocused()
      await expectAccessible(page)
      await box.check()
      await page.getByRole('button', { name: 'Accept and continue' }).click()
      await expect(home(page)).toBeFocused()
    })

    await test.step('it is not asked again, and Settings list both versions', async () => {
      await logOut(page)
      await signIn(page, james, mailbox)
      await expect(home(page)).toBeVisible()
      await openSettings(page)
      const terms = agreements(page).getByRole('listitem').filter({ hasText: 'Terms of Service' })
      await expect(terms).toHaveText([/version 2027-01-01/, /version 2026-11-01.*Replaced/])
      await expectAccessible(page)
    })
  })
})

test(
  'the page says where to get help in a crisis even if its scripts cannot be loaded',
  { tag: '@desktop-only' },
  async ({ page }) => {
    await page.route('**/*.js', (route) => route.abort())
    await page.goto(screens.signIn)
    await expect(page.getByText(CRISIS_CALL)).toBeVisible()
  },
)

const noticesSection = (page: Page) => page.getByRole('region', { name: 'Email notices' })
const switchOf = (page: Page, name: string) => page.getByRole('switch', { name, exact: true })

test(
  'a switch in Settings is saved as it is flipped',
  { tag: '@phone' },
  async ({ page, signedIn }) => {
    await signedIn()
    await page.goto(screens.settings)
    const section = noticesSection(page)
    await expect(section.getByRole('switch')).toHaveCount(NOTICE_KINDS.length)
    await expect(section.getByText(SECURITY_MAIL_ALWAYS)).toBeVisible()
    await expectAccessible(page)

    await test.step('by mouse and by keyboard', async () => {
      await switchOf(page, 'Appointments').click()
      await expect(switchOf(page, 'Appointments')).not.toBeChecked()
      await expect(section.getByText(/^Appointments: saved\. You will no longer/)).toBeAttached()
      await switchOf(page, 'Your claim').press('Space')
      await expect(section.getByText(/^Your claim: saved\. You will no longer/)).toBeAttached()
      await expectAccessible(page)
      await page.reload()
      await expect(switchOf(page, 'Documents we need')).toBeChecked()
      await expect(switchOf(page, 'Appointments')).not.toBeChecked()
      await expect(switchOf(page, 'Your claim')).not.toBeChecked()
    })

    await test.step('a switch that cannot be saved is as before', async () => {
      await failRequests(page, `**${getNoticePreferences.path}`)
      await switchOf(page, 'Appointments').click()
      await expect(section.getByText(NOTICE_PREFERENCES_FAILED)).toBeVisible()
      await expect(switchOf(page, 'Appointments')).not.toBeChecked()
      await expectAccessible(page)
      await page.unroute(`**${getNoticePreferences.path}`)
      await switchOf(page, 'Appointments').click()
      await expect(section.getByText(/^Appointments: saved\. You will get/)).toBeAttached()
    })
    await page.setViewportSize(NARROWEST_WINDOW)
    await expectAccessible(page)
  },
)

test('a link that does not work says what to do', { tag: '@phone' }, async ({ page }) => {
  await page.goto(`${screens.unsubscribe}?token=abc.def`)
  await expect(page.getByText(noticeLinkVoid.message)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`${screens.unsubscribe}$`))
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Open Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
})

test(
  'an address that bounces is shown to the veteran and to staff',
  { tag: '@phone' },
  async ({ page, account, mailbox, browser, baseURL }) => {
    const james = await account()
    await openSession(page, james, mailbox)
    // Wait for the email about a new device, so that it does not bounce.
    await mailbox.mailsTo(james.email, { subject: 'New sign-in' })
    await mailbox.bounce(james.email)

    await test.step('one email may come back by mistake', async () => {
      const data = { email: james.email }
      await page.request.post(forgotPassword.path, { data, ...portalHeaders() })
      expect(await mailbox.mailsTo(james.email, { subject: 'eset' })).toHaveLength(1)
      await runJob('notices.read-reports')
      await openHome(page)
      await expect(page.getByText(EMAIL_UNREACHABLE)).toHaveCount(0)
    })

    await test.step('after two, the next visit says it, and codes are still sent', async () => {
      await openSession(page, james, mailbox)
      await runJob('notices.read-reports')
      await openSession(page, james, mailbox)
      await openHome(page)
      await expect(page.getByText(EMAIL_UNREACHABLE)).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Settings' }).click()
      await expect(noticesSection(page).getByRole('switch')).toHaveCount(NOTICE_KINDS.length)
      await expect(page.getByText(EMAIL_UNREACHABLE)).toBeVisible()
    })

    await test.step('staff see what came back', async () => {
      await runJob('notices.read-reports')
      const staff = await browser.newPage({ baseURL: baseURL! })
      await openSession(staff, await account('STAFF'), mailbox)
      await openManageUsers(staff)
      await choose(staff, james, 'Edit')
      const edit = dialog(staff, 'Edit User')
      await expect(edit.getByText(EMAIL_UNREACHABLE_STAFF)).toBeVisible()
      await edit.getByRole('button', { name: 'Emails sent' }).click()
      await expect(edit.getByText('Code to sign in: Came back (5.1.1)').first()).toBeVisible()
      await expect(edit.getByRole('list')).not.toContainText(/\d{6}/)
      await expectAccessible(staff)
      await staff.close()
    })
  },
)

test.describe('emails about the case', { tag: '@desktop-only' }, () => {
  const state = stateAtDaytime()
  test.skip(state === undefined, 'it is night in every state, and notices wait for the morning')
  test.describe.configure({ timeout: 240_000 })

  /** Moves the veteran to a state where it is day, and returns the contact. */
  async function atDaytime(page: Page, james: Account, salesforce: SalesforceControl) {
    const contactId = await contactIdOf(james, salesforce)
    await salesforce.staff('edit-contact', { contactId, MailingState: state })
    await expectInPortal(page, getUserInfo.path, state!)
    return contactId
  }

  /** Waits up to 90 seconds, because the job that collects the emails runs every minute. */
  const subjectsTo = async (mailbox: MailboxClient, { email }: Account, subject: string) =>
    (await mailbox.mailsTo(email, { subject, waitMs: 90_000 })).map((mail) => mail.subject)

  test('a requested document leads to one email, and once it is sent to no reminder', async ({
    page,
    signedIn,
    salesforce,
    mailbox,
  }) => {
    const james = await signedIn()
    const contactId = await atDaytime(page, james, salesforce)
    const dueDate = dueDateOfNextReminder(state!)
    const requestDocument = async (name: string) => {
      const request = { contactId, name, type: name, dueDate }
      const id = await salesforce.staff('request-document', request)
      await expectInPortal(page, getDocuments.path, name)
      return id
    }
    const sentName = 'DD Form 214'
    await requestDocument(sentName)

    await test.step('it is held, and then one email is sent', async () => {
      await runJob('notices.collect')
      expect(await openNotices(james)).toEqual(['documentRequested'])
      expect(await holdingMinutes(james)).toEqual([10])
      await endHoldingTime(james)
      expect(await subjectsTo(mailbox, james, 'document')).toEqual(['We need a document from you'])
    })

    await test.step('the document is sent', async () => {
      await openHome(page)
      const item = todoItem(page, `Send us: ${sentName}`)
      await item.getByRole('button', { name: `Upload ${sentName}` }).click()
      await chooseFiles(page, [newPdf()])
      await clickInDialog(page, 'Upload')
      await expect(uploadDialog(page)).toBeHidden({ timeout: 30_000 })
    })

    await test.step('only a document that is still missing gets a reminder', async () => {
      const missing = await requestDocument('Marriage Certificate')
      await letTwoDaysPass(james)
      await runJob('notices.remind')
      expect(await documentsWithReminder(james)).toEqual([missing])
      expect(await subjectsTo(mailbox, james, 'We need')).toHaveLength(1)
    })
  })

  test('the link in an email turns kinds off and on without a session, and so does one click', async ({
    page,
    signedIn,
    salesforce,
    mailbox,
    browser,
    baseURL,
  }) => {
    const james = await signedIn()
    const contactId = await atDaytime(page, james, salesforce)
    await salesforce.staff('request-document', { contactId, name: 'DD Form 214', type: 'Other' })
    await expectInPortal(page, getDocuments.path, 'DD Form 214')
    await endHoldingTime(james)
    const [mail] = await mailbox.mailsTo(james.email, { subject: 'We need', waitMs: 90_000 })
    const link = /http\S+\/notices\/unsubscribe\?token=[\w.-]+/.exec(mail!.text)![0]
    const other = await browser.newPage({ baseURL: baseURL! })

    await test.step('opening the link changes nothing', async () => {
      await other.goto(link)
      await expect(switchOf(other, 'Documents we need')).toBeChecked()
      await expect(other).toHaveURL(new RegExp(`${screens.unsubscribe}$`))
      await expect(other.getByText(/^Turned off/)).toHaveCount(0)
      await expectAccessible(other)
    })

    await test.step('one click turns off the kinds of the email', async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const body = 'List-Unsubscribe=One-Click'
      expect((await fetch(link, { method: 'POST', headers, body })).status).toBe(204)
      await other.goto(link)
      await expect(other.getByText(/^Turned off: Documents we need\./)).toBeVisible()
      await expect(switchOf(other, 'Documents we need')).not.toBeChecked()
      await expect(switchOf(other, 'Appointments')).toBeChecked()
      await expectAccessible(other)
    })

    await test.step('what is off is not sent', async () => {
      await salesforce.staff('request-document', { contactId, name: 'Letter', type: 'Other' })
      await expectInPortal(page, getDocuments.path, 'Letter')
      expect(await openNotices(james)).toEqual([])
    })

    await test.step('a switch turns it on again, also after a reload', async () => {
      await other.reload()
      await switchOf(other, 'Documents we need').click()
      await expect(other.getByText(/^Documents we need: saved\. You will get/)).toBeAttached()
      await expect(other.getByText(/^Turned off/)).toHaveCount(0)
      await page.goto(screens.settings)
      await expect(switchOf(page, 'Documents we need')).toBeChecked()
    })
    await other.close()
  })
})
