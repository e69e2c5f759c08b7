import type { Page } from '@playwright/test'
import {
  aNote,
  aPdf,
  card,
  cardNames,
  pickFor,
  requestDocument,
  section,
  storedAs,
} from './house/documents-desk.ts'
import { expect, expectAccessible, signIn, test } from './house/test.ts'

const NARROW = { width: 320, height: 640 }
const UPLOADED = 'Your document has been uploaded successfully!'
const WRONG_TYPE = 'Only PDF and JPEG files are accepted.'

const toast = (page: Page, text: string, role: 'alert' | 'status') =>
  section(page).getByRole(role).filter({ hasText: text })

test('a document is requested, uploaded and replaced', async ({
  page,
  context,
  account,
  mailbox,
  salesforce,
  box,
}) => {
  test.setTimeout(150_000)
  const james = await account()
  await signIn(page, james, mailbox)

  await test.step('nothing is there yet', async () => {
    await expect(
      section(page).getByText('No documents have been shared or requested.'),
    ).toBeVisible()
    for (const text of [
      'Only PDF and JPEG files are accepted',
      'Password-protected files are not allowed',
      'Viewing uploaded files is temporarily disabled.',
    ]) {
      await expect(section(page).getByText(text, { exact: true })).toBeVisible()
    }
    await expectAccessible(page)
  })

  await test.step('the staff request one', async () => {
    const asked = { name: 'Discharge papers', type: 'DD Form 214' }
    await requestDocument(page, salesforce, james, asked)
    await expect(section(page).getByText('1 requested, 0 uploaded')).toBeVisible()
    await expect(card(page, asked.name).getByText('Requested')).toBeVisible()
  })

  const first = aPdf()
  await test.step('it is uploaded, also with a spent access token', async () => {
    await context.clearCookies({ name: /guidon-access$/ })
    await pickFor(page, 'Upload Discharge papers', first)
    await expect(toast(page, UPLOADED, 'status')).toBeVisible()
    await expect(cardNames(page)).toHaveText([first.name])
    const uploaded = card(page, first.name)
    await expect(uploaded.getByText('Uploaded', { exact: true })).toBeVisible()
    await expect(
      uploaded.getByText(/^Receipt:\s.*UTC, \d+\sbytes, fingerprint\s[\da-f\s]{14}$/),
    ).toBeVisible()
    await expect(uploaded.getByRole('button', { name: `Replace ${first.name}` })).toBeFocused()
    await expect(toast(page, UPLOADED, 'status')).toBeHidden({ timeout: 4_000 })
    const { versions } = await storedAs(box, first.name, first)
    expect(versions).toHaveLength(1)
    await expectAccessible(page)
  })

  await test.step('a wrong type does not replace it', async () => {
    await pickFor(page, `Replace ${first.name}`, aNote('disguised.pdf'))
    await expect(toast(page, WRONG_TYPE, 'alert')).toBeVisible()
    await expectAccessible(page)
    await expect(toast(page, WRONG_TYPE, 'alert')).toBeHidden({ timeout: 7_000 })
  })

  await test.step('another file replaces it', async () => {
    const better = aPdf('better.pdf')
    await pickFor(page, `Replace ${first.name}`, better)
    const question = page.getByRole('dialog', { name: 'Replace this document?' })
    await expect(question).toContainText(`${first.name} will be replaced by better.pdf`)
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Replace' }).click()
    await expect(toast(page, UPLOADED, 'status')).toBeVisible()
    const { versions } = await storedAs(box, first.name, better)
    expect(versions).toHaveLength(2)
  })
  await page.setViewportSize(NARROW)
  await expectAccessible(page)
})

test('the list loads, fails and is tried again', async ({ page, account, mailbox, isMobile }) => {
  test.skip(isMobile, 'the size of the screen makes no difference here')
  const { promise: asked, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/salesforce/documents/me', async (route) => {
    await asked
    await route.fulfill({ status: 503, json: { code: 'unexpected' } })
  })
  await signIn(page, await account(), mailbox)
  await expect(page.getByText('Loading documents…')).toBeAttached()
  answer()
  await expect(section(page).getByText('Failed to get user documents.')).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/salesforce/documents/me')
  await page.getByRole('button', { name: 'Try again to load documents' }).click()
  await expect(section(page).getByText('No documents have been shared or requested.')).toBeVisible()
})
