import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { getDocuments, type Document } from '@guidon/contract/documents'
import { createHandOff, sendFromPhone } from '@guidon/contract/hand-off'
import { screens } from '@guidon/contract/screens'
import type { BoxSandboxClient } from '@guidon/sandbox/box/client'
import { devices } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import {
  card,
  cardNames,
  clickInDialog,
  documentsSection,
  newPdf,
  openDialog,
  photoOf,
  requestDocument,
  uploadDialog as dialog,
  waitForStoredFile,
} from './support/documents-page.ts'
import { openHome, portalHeaders } from './support/session.ts'
import { expect, test } from './support/test.ts'

const CODE = { role: 'img', name: 'Code to scan with your phone' } as const

/** Opens an address in a browser of its own, as a phone that has scanned a code. */
async function onPhone(browser: Browser, baseURL: string, address: string): Promise<Page> {
  const { viewport, hasTouch, isMobile } = devices['iPhone 15']
  const context = await browser.newContext({ baseURL, viewport, hasTouch, isMobile })
  const phone = await context.newPage()
  await phone.goto(address)
  return phone
}

/** Presses the button that shows the code, and returns the address that the code contains. */
async function showCode(page: Page, press: () => Promise<void>): Promise<string> {
  const [response] = await Promise.all([
    page.waitForResponse((sent) => sent.url().endsWith(createHandOff.path)),
    press(),
  ])
  const { token } = (await response.json()) as { token: string }
  await expect(dialog(page).getByRole(CODE.role, CODE)).toBeVisible()
  return `${screens.phone}#${token}`
}

/** Makes a code without the screens, and returns the address that it contains. */
async function newCode(page: Page): Promise<string> {
  const data = { documentType: 'Other' }
  const response = await page.request.post(createHandOff.path, { data, ...portalHeaders() })
  const { token } = (await response.json()) as { token: string }
  return `${screens.phone}#${token}`
}

/** Waits until Box has the only document of the account, and returns its bytes. */
async function storedBytes(page: Page, box: BoxSandboxClient): Promise<Buffer> {
  const find = async () => {
    const [document] = (await (await page.request.get(getDocuments.path)).json()) as Document[]
    return (await box.files()).find(({ id }) => id === document?.boxFileId)
  }
  await expect.poll(find, { timeout: 40_000 }).toBeTruthy()
  return box.bytes((await find())!.id)
}

test(
  'a phone takes three photos for a requested document of the computer',
  { tag: '@desktop-only' },
  async ({ page, signedIn, salesforce, box, browser, baseURL }, info) => {
    test.setTimeout(150_000)
    const james = await signedIn()
    await openHome(page)
    await requestDocument(page, salesforce, james, {
      name: 'Discharge papers',
      type: 'DD Form 214',
    })
    await documentsSection(page).getByRole('button', { name: 'Upload Discharge papers' }).click()
    await expectAccessible(page)
    await page.screenshot({ path: info.outputPath('1-choices.png') })
    await expect(dialog(page).getByRole('button', { name: /phone’s camera/ })).toBeVisible()
    await clickInDialog(page, 'Cancel')
    const usePhone = documentsSection(page).getByRole('button', { name: 'Use phone for Discharge' })
    const address = await showCode(page, () => usePhone.click())
    await expect(
      dialog(page).getByRole('status').getByText('Waiting for your phone.'),
    ).toBeVisible()
    await expect(dialog(page).getByRole('timer')).toHaveText(/^1[45]:\d\d$/)
    await expectAccessible(page)
    await page.screenshot({ path: info.outputPath('2-code.png') })

    const phone = await onPhone(browser, baseURL!, address)
    await expect(phone.getByRole('heading', { name: 'Send Discharge papers' })).toBeVisible()
    expect(phone.url()).toBe(`${baseURL}${screens.phone}`)
    await expectAccessible(phone)
    await phone.screenshot({ path: info.outputPath('3-phone.png') })
    await expect(
      dialog(page).getByText('Your phone is connected. Take the photos there.'),
    ).toBeVisible()
    await expect(dialog(page).getByRole(CODE.role, CODE)).toBeHidden()

    await phone.getByRole('button', { name: 'Take photos' }).click()
    for (const word of ['One', 'Three'])
      await phone.getByLabel('Photo of the next page').setInputFiles(await photoOf(phone, word))
    await phone.getByLabel('Photos of the pages').setInputFiles(await photoOf(phone, 'Two'))
    await phone.getByRole('button', { name: 'Up page 3' }).click()
    await expect(phone.getByRole('list', { name: 'Pages' }).getByRole('listitem')).toContainText([
      'One.jpg',
      'Two.jpg',
      'Three.jpg',
    ])
    await expectAccessible(phone)
    await phone.screenshot({ path: info.outputPath('4-photos.png'), fullPage: true })
    await phone.setViewportSize(NARROWEST_WINDOW)
    await expectAccessible(phone)
    await phone.screenshot({ path: info.outputPath('5-photos-320.png'), fullPage: true })
    await expect(dialog(page).getByText('Your phone is connected. It has 3 photos.')).toBeVisible()
    await page.screenshot({ path: info.outputPath('6-connected.png') })

    await phone.getByRole('button', { name: 'Send 3 pages' }).click()
    await expect(phone.getByRole('heading', { name: 'It arrived.' })).toBeFocused({
      timeout: 30_000,
    })
    await expectAccessible(phone)
    await phone.screenshot({ path: info.outputPath('7-arrived.png') })
    await expect(page.getByText('Your document has been uploaded successfully!')).toBeVisible()
    await expect(dialog(page)).toBeHidden()
    await expect(cardNames(page)).toHaveText(['Discharge papers'])
    await expect(card(page, 'Discharge papers').getByText(/^We have it\. Received/)).toBeVisible()
    await expect(documentsSection(page).getByRole('button', { name: /^Replace/ })).toBeFocused()

    const path = info.outputPath('joined.pdf')
    await writeFile(path, await storedBytes(page, box))
    expect(execFileSync('pdfinfo', [path]).toString()).toMatch(/^Pages:\s+3$/m)

    await phone.reload()
    await expect(phone.getByRole('heading', { name: 'It arrived.' })).toBeVisible()
    await page.goto(screens.settings)
    for (const what of ['Document uploaded from a phone', 'Phone connected to send a document'])
      await expect(page.getByText(what)).toBeVisible()
    await phone.context().close()
  },
)

test(
  'without a request the computer asks for a category, and closing the code ends it',
  { tag: '@desktop-only' },
  async ({ page, signedIn, box, browser, baseURL }, info) => {
    test.setTimeout(120_000)
    await signedIn()
    await openHome(page)
    await openDialog(page)
    await page.screenshot({ path: info.outputPath('1-choices.png') })
    await dialog(page)
      .getByRole('button', { name: /Use your phone’s camera/ })
      .click()
    await clickInDialog(page, 'Show the code')
    await expect(dialog(page).getByText('Please select a category for each file.')).toBeVisible()
    await expectAccessible(page)
    await dialog(page).getByRole('combobox', { name: 'Category' }).selectOption('Other')
    const closed = await showCode(page, () => clickInDialog(page, 'Show the code'))
    await clickInDialog(page, 'Back')
    await expect(
      dialog(page).getByRole('button', { name: /Use your phone’s camera/ }),
    ).toBeFocused()
    const late = await onPhone(browser, baseURL!, closed)
    await expect(late.getByText('This code no longer works.')).toBeVisible()
    await late.context().close()

    await dialog(page)
      .getByRole('button', { name: /Use your phone’s camera/ })
      .click()
    await dialog(page).getByRole('combobox', { name: 'Category' }).selectOption('Other')
    const address = await showCode(page, () => clickInDialog(page, 'Show the code'))
    const phone = await onPhone(browser, baseURL!, address)
    await expect(phone.getByRole('heading', { name: 'Send a document' })).toBeVisible()
    const file = newPdf()
    await phone.getByLabel('File to send').setInputFiles(file)
    await expect(phone.getByText('You can close this page.')).toBeVisible({ timeout: 30_000 })
    await expect(dialog(page)).toBeHidden({ timeout: 10_000 })
    await expect(cardNames(page)).toHaveText([file.name])
    await waitForStoredFile(box, file.name, file)
    await phone.context().close()
  },
)

test(
  'a second phone and a code of nobody are refused, with words',
  { tag: '@desktop-only' },
  async ({ page, signedIn, browser, baseURL }, info) => {
    await signedIn()
    const address = await newCode(page)
    const first = await onPhone(browser, baseURL!, address)
    await expect(first.getByRole('heading', { name: 'Send a document' })).toBeVisible()
    await first.reload()
    await expect(first.getByRole('heading', { name: 'Send a document' })).toBeVisible()
    const second = await onPhone(browser, baseURL!, address)
    await expect(second.getByText('This code was already used on another phone.')).toBeVisible()
    await expectAccessible(second)
    await second.screenshot({ path: info.outputPath('second.png') })
    await second.goto(screens.settings)
    await expect(second.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
    await second.goto(`${screens.phone}#${'a'.repeat(43)}`)
    await expect(second.getByText('This code no longer works.')).toBeVisible()
    await expectAccessible(second)
    // A newer code ends the first phone, too.
    await newCode(page)
    await first.reload()
    await expect(first.getByText('This code no longer works.')).toBeVisible()
    await page.goto(screens.phone)
    await expect(page.getByText('This code no longer works.')).toBeVisible()
    for (const phone of [first, second]) await phone.context().close()
  },
)

test(
  'a photo of a phone is stored without camera data',
  { tag: '@desktop-only' },
  async ({ page, signedIn, box, browser, baseURL }) => {
    await signedIn()
    const phone = await onPhone(browser, baseURL!, await newCode(page))
    await expect(phone.getByRole('heading', { name: 'Send a document' })).toBeVisible()
    const { buffer, ...photo } = await photoOf(phone, 'Page')
    const planted = Buffer.concat([buffer.subarray(0, 2), GPS, buffer.subarray(2)])
    const sent = phone.waitForRequest((request) => request.url().endsWith(sendFromPhone.path))
    await phone
      .getByLabel('File to send')
      .setInputFiles({ ...photo, name: 'image.jpg', buffer: planted })
    expect((await sent).postDataBuffer()?.includes(PLACE)).not.toBe(true)
    await expect(phone.getByText('You can close this page.')).toBeVisible({ timeout: 30_000 })
    const stored = await storedBytes(page, box)
    expect(stored.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
    expect(stored.includes(PLACE)).toBe(false)
    await phone.context().close()
  },
)

/** The text of an Exif segment, in place of the position where the photo was taken. */
const PLACE = 'PLANTED-PLACE'
const GPS = Buffer.concat([
  Buffer.from([0xff, 0xe1, 0, 2 + 6 + PLACE.length]),
  Buffer.from(`Exif\0\0${PLACE}`),
])

test('a phone is not offered another phone', { tag: '@phone' }, async ({ page, signedIn }) => {
  await signedIn()
  await openHome(page)
  await openDialog(page)
  await expect(dialog(page).getByRole('button', { name: /Choose files/ })).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: /phone’s camera/ })).toBeHidden()
})
