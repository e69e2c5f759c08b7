import { getAppointments } from '@guidon/contract/appointments'
import { uploadDocument } from '@guidon/contract/documents'
import { screens } from '@guidon/contract/screens'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import {
  card,
  cardNames,
  categoryOf,
  chooseFiles,
  clickInDialog,
  documentsSection,
  newPdf,
  openDialog,
  requestDocument,
  uploadDialog,
  type TestFile,
} from './support/documents-page.ts'
import { openHome, portalHeaders } from './support/session.ts'
import { expect, test } from './support/test.ts'

const ZONE = 'America/Chicago'
test.use({ timezoneId: ZONE })

const CARDS = /\/salesforce\/(appointments|case-manager|documents)\/me$/
const LETTER = { name: 'VA Decision Letter', type: 'Decision letter' }

/** The moment of a `time` element in words, in the zone of the browser. */
async function inOwnZone(time: Locator): Promise<string> {
  const moment = new Date((await time.getAttribute('datetime'))!)
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone: ZONE, ...options }).format(moment)
  const hour = format({ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })
  return `${format({ dateStyle: 'long' })}, ${hour}`
}

/** Uploads a file without loading a screen. */
async function uploadFile(page: Page, file: TestFile, form: Record<string, string>) {
  const response = await page.request.post(uploadDocument.path, {
    multipart: { ...form, file },
    ...portalHeaders(),
  })
  expect(response.status(), await response.text()).toBe(201)
}

test(
  'the card of a received file says that we have it, with size and fingerprint under Details',
  { tag: '@phone' },
  async ({ page, signedIn }) => {
    await signedIn()
    const file = newPdf()
    await uploadFile(page, file, { documentType: 'Other' })
    await openHome(page)
    const received = card(page, file.name)
    const time = received.getByRole('time')
    await expect(received.getByText(/^We have it\. Received/)).toHaveText(
      `We have it. Received ${await inOwnZone(time)}`,
    )
    const fingerprint = received.getByText(/^[\da-f]{4} [\da-f]{4} [\da-f]{4}$/)
    await expect(fingerprint).toBeHidden()
    await expectAccessible(page)
    await received.locator('summary').focus()
    await page.keyboard.press('Enter')
    await expect(fingerprint).toBeVisible()
    await expect(received.getByRole('definition')).toHaveText([
      file.name,
      `${file.buffer.length} bytes`,
      /^[\da-f ]{14}$/,
    ])
    await expectAccessible(page)
  },
)

test(
  'an upload in the category of a request answers the request',
  { tag: '@phone' },
  async ({ page, signedIn, salesforce }) => {
    const james = await signedIn()
    await openHome(page)
    await requestDocument(page, salesforce, james, LETTER)
    await expect(documentsSection(page).getByText('1 requested, 0 uploaded')).toBeVisible()
    await openDialog(page)
    const file = newPdf('rating.pdf')
    await chooseFiles(page, [file])
    const groups = categoryOf(page, file).locator('optgroup')
    await expect(groups.first()).toHaveAttribute('label', 'We asked for')
    await expect(groups.first().locator('option')).toHaveText([LETTER.type])
    await expectAccessible(page)
    await categoryOf(page, file).selectOption(LETTER.type)
    await clickInDialog(page, 'Upload')
    await expect(uploadDialog(page)).toBeHidden()
    await expect(documentsSection(page).getByText('0 requested, 1 uploaded')).toBeVisible()
    await expect(cardNames(page)).toHaveText([LETTER.name])
    await page.reload()
    await expect(cardNames(page)).toHaveText([LETTER.name])
  },
)

test(
  'Request Contact shows how to reach us, and the request is still shown after a reload',
  { tag: '@phone' },
  async ({ page, signedIn }) => {
    await signedIn()
    await openHome(page)
    await page.getByRole('button', { name: 'Request Contact' }).click()
    const dialog = page.getByRole('dialog', { name: 'Request Contact' })
    await expect(dialog.getByRole('link', { name: '1-800-555-0142' })).toBeVisible()
    await expect(dialog.getByRole('link', { name: 'info@guidon.example' })).toBeVisible()
    await dialog.getByRole('radio', { name: 'Phone' }).check()
    await expectAccessible(page)
    const size = page.viewportSize()!
    await page.setViewportSize(NARROWEST_WINDOW)
    await expectAccessible(page)
    await page.setViewportSize(size)
    await dialog.getByRole('button', { name: 'Send Request' }).click()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Your request for contact via phone has been sent.')).toBeVisible()
    await page.reload()
    const dayFormat = { timeZone: ZONE, month: 'long', day: 'numeric' } as const
    const day = new Intl.DateTimeFormat('en-US', dayFormat).format(new Date())
    await expect(page.getByText(`You asked for a call on ${day}.`)).toBeVisible()
    await expectAccessible(page)
  },
)

test(
  'Home fits a phone when text is twice as large, and icons grow with it',
  { tag: '@phone' },
  async ({ page, signedIn }) => {
    await signedIn()
    const appointment = {
      id: 'a1',
      appointmentDateText: '2099-11-24',
      appointmentTimeText: '09:30',
      clinicName: 'Harbor Orthopedic Clinic',
      clinicPhone: '6195550121',
    }
    await page.route(`**${getAppointments.path}`, (route) => route.fulfill({ json: [appointment] }))
    await uploadFile(page, newPdf(), { documentType: 'Other' })
    await openHome(page)
    await expect(page.getByText('We have it.')).toBeVisible()
    await expectAccessible(page)
    // Twice the 112.5 % of the style sheet.
    await page.evaluate(() => (document.documentElement.style.fontSize = '225%'))
    const icon = page.getByRole('button', { name: 'Upload Document' }).locator('svg')
    expect((await icon.boundingBox())!.height).toBeGreaterThan(36)
  },
)

test(
  'without a connection, every part says so and keeps what was typed, and cards can be loaded again',
  { tag: '@phone' },
  async ({ page, context, signedIn }) => {
    await signedIn()
    await openHome(page)
    await page.waitForLoadState('networkidle')
    await test.step('Request Contact', async () => {
      await page.getByRole('button', { name: 'Request Contact' }).click()
      const dialog = page.getByRole('dialog', { name: 'Request Contact' })
      await dialog.getByRole('radio', { name: 'Email' }).check()
      await context.setOffline(true)
      await dialog.getByRole('button', { name: 'Send Request' }).click()
      await expect(dialog.getByText('Failed to request contact.')).toBeVisible()
      await expect(dialog.getByRole('radio', { name: 'Email' })).toBeChecked()
      await expectAccessible(page)
      await context.setOffline(false)
    })

    await test.step('the cards of Home', async () => {
      await page.route(CARDS, (route) => route.abort('internetdisconnected'))
      await page.reload()
      await expect(page.getByText('Please check your internet connection.')).toHaveCount(3)
      await expect(page.getByRole('button', { name: /^Try again/ })).toHaveCount(3)
      await expectAccessible(page)
      await page.unroute(CARDS)
      await page.getByRole('button', { name: 'Try again to load documents' }).click()
      await expect(documentsSection(page).getByText(/^No documents/)).toBeVisible()
    })

    await test.step('Change Password', async () => {
      await page.goto(screens.settings, { waitUntil: 'networkidle' })
      const current = page.getByLabel('Current password', { exact: true })
      await current.fill('Copper7!lantern-harbor')
      const chosen = page.getByLabel('New password', { exact: true })
      await chosen.fill('Anchor5!meadow-river')
      await context.setOffline(true)
      await page.getByRole('button', { name: 'Change Password' }).click()
      await expect(
        page.getByText('Failed to reset password. Please try again later.'),
      ).toBeVisible()
      await expect(page.getByText(/^You are offline/)).toBeVisible()
      await expect(current).toHaveValue('Copper7!lantern-harbor')
      await expect(chosen).toHaveValue('Anchor5!meadow-river')
      await context.setOffline(false)
    })
  },
)
