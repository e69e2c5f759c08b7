import type { Page } from '@playwright/test'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import {
  card,
  cardNames,
  chooseFileFor,
  chooseFiles,
  clickInDialog,
  newPdf,
  requestDocument,
  documentsSection,
  waitForStoredFile,
  textFile,
  uploadDialog,
} from './support/documents-page.ts'
import { openHome } from './support/session.ts'
import { expect, test } from './support/test.ts'

const UPLOADED = 'Your document has been uploaded successfully!'
const WRONG_TYPE = 'Only PDF and JPEG files are accepted.'

const toast = (page: Page, text: string, role: 'alert' | 'status') =>
  page.getByRole(role).filter({ hasText: text })

test(
  'a document is requested, uploaded and replaced',
  { tag: '@phone' },
  async ({ page, context, signedIn, salesforce, box }) => {
    test.setTimeout(150_000)
    const james = await signedIn()
    await openHome(page)

    await test.step('no document is there yet', async () => {
      await expect(
        documentsSection(page).getByText('No documents have been shared or requested.'),
      ).toBeVisible()
      for (const text of [
        'Only PDF and JPEG files are accepted',
        'Password-protected files are not allowed',
        'Viewing uploaded files is temporarily disabled.',
      ]) {
        await expect(documentsSection(page).getByText(text, { exact: true })).toBeVisible()
      }
      await expectAccessible(page)
    })

    await test.step('the staff request one', async () => {
      const requested = { name: 'Discharge papers', type: 'DD Form 214' }
      await requestDocument(page, salesforce, james, requested)
      await expect(documentsSection(page).getByText('1 requested, 0 uploaded')).toBeVisible()
      await expect(card(page, requested.name).getByText('Requested')).toBeVisible()
    })

    const first = newPdf()
    await test.step('it is uploaded, even with an expired access token', async () => {
      await context.clearCookies({ name: /guidon-access$/ })
      await documentsSection(page).getByRole('button', { name: 'Upload Discharge papers' }).click()
      await expect(uploadDialog(page)).toHaveAccessibleName('Upload Discharge papers')
      await expectAccessible(page)
      await chooseFiles(page, [first])
      await expectAccessible(page)
      await clickInDialog(page, 'Upload')
      await expect(toast(page, UPLOADED, 'status')).toBeVisible()
      await expect(uploadDialog(page)).toBeHidden()
      await expect(cardNames(page)).toHaveText(['Discharge papers'])
      const uploaded = card(page, 'Discharge papers')
      await expect(uploaded.getByText('Uploaded', { exact: true })).toBeVisible()
      await expect(uploaded.getByText(/^We have it\. Received/)).toBeVisible()
      await expect(uploaded.getByRole('button', { name: `Replace ${first.name}` })).toBeFocused()
      const { versions } = await waitForStoredFile(box, first.name, first)
      expect(versions).toHaveLength(1)
      await expectAccessible(page)
    })

    await test.step('a wrong type does not replace it', async () => {
      await chooseFileFor(page, `Replace ${first.name}`, textFile('disguised.pdf'))
      await expect(toast(page, WRONG_TYPE, 'alert')).toBeVisible()
      await expectAccessible(page)
      await expect(toast(page, WRONG_TYPE, 'alert')).toBeHidden()
    })

    await test.step('another file replaces it', async () => {
      const newVersion = newPdf('better.pdf')
      await chooseFileFor(page, `Replace ${first.name}`, newVersion)
      const question = page.getByRole('dialog', { name: 'Replace this document?' })
      await expect(question).toContainText(`${first.name} will be replaced by better.pdf`)
      await expectAccessible(page)
      await question.getByRole('button', { name: 'Replace' }).click()
      await expect(toast(page, UPLOADED, 'status')).toBeVisible()
      await expect(toast(page, UPLOADED, 'status')).toBeHidden()
      const { versions } = await waitForStoredFile(box, first.name, newVersion)
      expect(versions).toHaveLength(2)
    })
    await page.setViewportSize(NARROWEST_WINDOW)
    await expectAccessible(page)
  },
)
