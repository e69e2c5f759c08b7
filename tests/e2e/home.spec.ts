import { getAppointments } from '@guidon/contract/appointments'
import { getCaseActivity } from '@guidon/contract/case-activity'
import { getCaseManager } from '@guidon/contract/case-manager'
import { getClaims } from '@guidon/contract/claims'
import { getDocuments, type Document } from '@guidon/contract/documents'
import { saveIntake } from '@guidon/contract/intake'
import { screens } from '@guidon/contract/screens'
import { getTodo, NOTHING_TO_DO } from '@guidon/contract/todo'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import {
  claimSection,
  dayText,
  inDays,
  CRM_CHANGE_TIMEOUT,
  sectionHeading,
  todoItem,
  todoSection,
  todoTitles,
} from './support/case-page.ts'
import { contactIdOf, expectInPortal } from './support/crm.ts'
import {
  card,
  chooseFiles,
  clickInDialog,
  newPdf,
  sendFile,
  uploadDialog,
  type TestFile,
} from './support/documents-page.ts'
import { holdAndFailRequests } from './support/failing-requests.ts'
import { openHome, portalHeaders } from './support/session.ts'
import { expect, test } from './support/test.ts'

/** The server checks a file before it responds. */
const AFTER_SENDING = { timeout: 30_000 }

const colorOf = (text: Locator) => text.evaluate((element) => getComputedStyle(element).color)

async function replaceFrom(page: Page, item: Locator, file: TestFile): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    item.getByRole('button', { name: /^Replace/ }).click(),
  ])
  await chooser.setFiles(file)
  const question = page.getByRole('dialog', { name: 'Replace this document?' })
  await question.getByRole('button', { name: 'Replace' }).click()
}

test(
  'the to-do list has the most urgent item first, and leads to each task',
  { tag: '@phone' },
  async ({ page, signedIn, salesforce }) => {
    test.setTimeout(180_000)
    const james = await signedIn()
    const contactId = await contactIdOf(james, salesforce)
    const letter = newPdf('Decision letter.pdf')
    await sendFile(page, letter)
    const late = {
      name: 'DD Form 214',
      dueDate: inDays(-4),
      reason: 'It proves your service dates.',
    }
    const soon = {
      name: 'Marriage certificate',
      dueDate: inDays(10),
      reason: 'It adds your spouse.',
    }
    for (const document of [soon, late]) {
      await salesforce.staff('request-document', { contactId, type: document.name, ...document })
    }
    const [stored] = await salesforce.rows<{ Id: string }>('Document_Request__c', {
      Veteran__c: contactId,
      Name: letter.name,
    })
    const statusReason = 'Page 2 is cut off.'
    const documentId = stored!.Id
    await salesforce.staff('change-document', { documentId, status: 'Not usable', statusReason })
    for (const name of [late.name, soon.name, statusReason])
      await expectInPortal(page, getTodo.path, name)
    await openHome(page)

    const titles = {
      late: `Send us: ${late.name}`,
      soon: `Send us: ${soon.name}`,
      copy: `Send a new copy: ${letter.name}`,
      intake: 'Finish your intake',
    }
    await test.step('overdue, due and not usable documents, and the intake', async () => {
      await expect(todoTitles(page)).toHaveText(Object.values(titles))
      const overdue = todoItem(page, titles.late).getByText(
        `Overdue: it was due ${dayText(late.dueDate)}.`,
      )
      const due = todoItem(page, titles.soon).getByText(`By ${dayText(soon.dueDate)}.`)
      expect(await colorOf(overdue)).not.toBe(await colorOf(due))
      await expect(todoItem(page, titles.late)).toContainText(late.reason)
      await expect(todoItem(page, titles.copy)).toContainText(statusReason)
      await expect(todoSection(page).getByText(/^Checked /)).toBeVisible()
    })

    await test.step('the cards of the documents say the same', async () => {
      await expect(card(page, late.name)).toContainText(
        `Overdue: it was due ${dayText(late.dueDate)}.`,
      )
      await expect(card(page, soon.name)).toContainText(
        `By ${dayText(soon.dueDate)}. ${soon.reason}`,
      )
      await expect(card(page, letter.name).getByText('Not usable')).toBeVisible()
      await expect(card(page, letter.name)).toContainText(statusReason)
    })
    await expectAccessible(page)
    const size = page.viewportSize()!
    await page.setViewportSize(NARROWEST_WINDOW)
    await expectAccessible(page)
    await page.setViewportSize(size)

    await test.step('Upload sends the requested document, and its item is gone', async () => {
      await todoItem(page, titles.late)
        .getByRole('button', { name: `Upload ${late.name}` })
        .click()
      await expect(uploadDialog(page)).toHaveAccessibleName(`Upload ${late.name}`)
      await chooseFiles(page, [newPdf()])
      await clickInDialog(page, 'Upload')
      await expect(uploadDialog(page)).toBeHidden(AFTER_SENDING)
      await expect(todoTitles(page)).toHaveText([titles.soon, titles.copy, titles.intake])
      await expect(sectionHeading(page, 'What you need to do')).toBeFocused()
    })

    await test.step('Replace sends a new copy, and its item is gone', async () => {
      await replaceFrom(page, todoItem(page, titles.copy), newPdf('Both pages.pdf'))
      await expect(todoTitles(page)).toHaveText([titles.soon, titles.intake], AFTER_SENDING)
      await expect(card(page, letter.name).getByText('Not usable')).toHaveCount(0)
    })

    await test.step('an appointment of the next days is added, and Read leads to it', async () => {
      const clinicName = 'Harbor Orthopedic Clinic'
      const appointment = { date: inDays(2), time: '09:30', clinicName }
      await salesforce.staff('add-appointment', { contactId, ...appointment })
      const item = todoItem(page, `Go to your appointment: ${clinicName}`)
      await expect(item).toContainText(dayText(appointment.date), CRM_CHANGE_TIMEOUT)
      await item.getByRole('button', { name: /^Read/ }).click()
      await expect(sectionHeading(page, 'Appointments')).toBeFocused()
      await expect(sectionHeading(page, 'Appointments')).toBeInViewport()
    })

    await test.step('Start opens the intake, and its item is gone once it is sent', async () => {
      await todoItem(page, titles.intake).getByRole('link', { name: 'Start', exact: true }).click()
      await expect(page).toHaveURL(new RegExp(`${screens.getStarted}$`))
      const data = { city: 'Reno', submit: true }
      await page.request.patch(saveIntake.path, { data, ...portalHeaders() })
      await openHome(page)
      await expect(todoTitles(page).first()).toHaveText(titles.soon)
      await expect(todoItem(page, titles.intake)).toHaveCount(0)
      await expect(page.getByText(/^We received your intake on/)).toBeVisible()
    })
  },
)

test(
  'with nothing to do, Home says so; a veteran without a claim sees no claim section',
  { tag: '@phone' },
  async ({ page, signedIn }) => {
    await signedIn()
    await page.request.patch(saveIntake.path, { data: { submit: true }, ...portalHeaders() })
    await openHome(page)
    await expect(todoSection(page).getByText(NOTHING_TO_DO)).toBeVisible()
    await expect(todoSection(page).getByText(/^Checked /)).toBeVisible()
    await expect(claimSection(page)).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Recent activity' })).toHaveCount(0)
    await expectAccessible(page)
  },
)

test(
  'a file that could not be stored is sent again',
  { tag: '@phone' },
  async ({ page, signedIn }) => {
    await signedIn()
    const file = newPdf('rating.pdf')
    await sendFile(page, file)
    const [{ id }] = (await (await page.request.get(getDocuments.path)).json()) as [Document]
    const item = { kind: 'failedUpload', id, subject: file.name, due: null, why: null }
    const checkedAt = new Date().toISOString()
    // Stubbed, because the sandbox of Box refuses no file.
    await page.route(`**${getTodo.path}`, (route) =>
      route.fulfill({ json: { items: [item], checkedAt } }),
    )
    await openHome(page)
    const listed = todoItem(page, 'Send again: rating.pdf')
    await expect(listed).toContainText(
      'We have the file you sent, but could not add it to your records. Sending it again may help.',
    )
    await expectAccessible(page)
    await page.unroute(`**${getTodo.path}`)
    await replaceFrom(page, listed, newPdf('rating.pdf'))
    await expect(listed).toHaveCount(0, AFTER_SENDING)
  },
)

test(
  'the button of the first item is visible on a phone without scrolling',
  { tag: '@phone' },
  async ({ page, signedIn, salesforce }) => {
    const contactId = await contactIdOf(await signedIn(), salesforce)
    await salesforce.staff('request-document', {
      contactId,
      type: 'DD Form 214',
      name: 'Certificate of Release or Discharge from Active Duty',
      dueDate: inDays(-4),
      reason: 'It proves your service dates; we cannot file without it. '.repeat(3).trim(),
    })
    await expectInPortal(page, getTodo.path, 'Certificate')
    await page.setViewportSize({ width: 390, height: 664 })
    await openHome(page)
    const button = todoSection(page).getByRole('button', { name: /^Upload/ })
    await expect(button).toBeInViewport({ ratio: 1 })
    const { y, height } = (await button.boundingBox())!
    const menu = (await page.getByRole('navigation', { name: 'Main' }).boundingBox())!
    expect(y + height).toBeLessThan(menu.y)
    await expectAccessible(page)
  },
)

test('twenty items with long names fit', { tag: '@phone' }, async ({ page, signedIn }) => {
  await signedIn()
  const items = Array.from({ length: 20 }, (_, n) => ({
    kind: 'requestedDocument',
    id: `r${n}`,
    subject: `${n} ${'Verschwiegenheitserklärung'.repeat(3)}`.slice(0, 80),
    due: inDays(n),
    why: 'W'.repeat(255),
  }))
  await page.route(`**${getTodo.path}`, (route) =>
    route.fulfill({ json: { items, checkedAt: new Date().toISOString() } }),
  )
  await openHome(page)
  await expect(todoTitles(page)).toHaveCount(20)
  await expectAccessible(page)
  await page.setViewportSize(NARROWEST_WINDOW)
  await expectAccessible(page)
})

/** The parts of Home that are loaded, and what each shows once it is. */
const PARTS = [
  [getTodo, 'to-do list', 'Finish your intake'],
  [getClaims, 'claims', undefined],
  [getCaseManager, 'case manager', 'Awaiting Case Manager'],
  [getAppointments, 'appointments', 'No upcoming appointments scheduled.'],
  [getDocuments, 'documents', 'No documents have been shared or requested.'],
  [getCaseActivity, 'recent activity', undefined],
] as const

test(
  'each part of Home that fails to load shows its message, and is retried alone',
  { tag: '@desktop-only' },
  async ({ page, signedIn }) => {
    const held = await Promise.all(
      PARTS.map(([{ path }]) => holdAndFailRequests(page, `**${path}`)),
    )
    await signedIn()
    await openHome(page)
    for (const what of ['case manager', 'appointments', 'documents'])
      await expect(page.getByText(`Loading ${what}…`)).toBeAttached()
    await expectAccessible(page)
    for (const { release } of held) release()
    const alert = (message: string) => page.getByRole('alert').filter({ hasText: message })
    for (const [{ failure }] of PARTS) await expect(alert(failure)).toBeVisible()
    const retries = page.getByRole('button', { name: /^Try again/ })
    await expect(retries).toHaveCount(PARTS.length)
    await expectAccessible(page)
    for (const [index, [{ path, failure }, what, shown]] of PARTS.entries()) {
      await page.unroute(`**${path}`)
      await page.getByRole('button', { name: `Try again to load ${what}` }).click()
      await expect(page.getByText(failure)).toHaveCount(0)
      if (shown) await expect(page.getByText(shown, { exact: true })).toBeVisible()
      await expect(retries).toHaveCount(PARTS.length - index - 1)
    }
  },
)
