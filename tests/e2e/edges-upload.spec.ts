import { getDocuments, type Document } from '@guidon/contract/documents'
import { screens } from '@guidon/contract/screens'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import {
  cardNames,
  categoryOf,
  chooseFileFor,
  chooseFiles,
  clickInDialog,
  documentsSection,
  newPdf,
  openDialog,
  photoOf,
  requestDocument,
  sendFile,
  uploadDialog as dialog,
} from './support/documents-page.ts'
import { holdAndFailRequests } from './support/failing-requests.ts'
import { slowDown } from './support/network.ts'
import { openHome } from './support/session.ts'
import { expect, test } from './support/test.ts'

const UPLOADED = 'Your document has been uploaded successfully!'
const SAME_NAME = 'A document with the same name already exists.'

const removeButton = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name: `Remove ${name}` })

test(
  'a free name is suggested in place of one that is taken, for files and for joined photos',
  { tag: '@phone' },
  async ({ page, signedIn }) => {
    await signedIn()
    const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date())
    await sendFile(page, newPdf('rating.pdf'))
    await sendFile(page, newPdf(`Photos ${today}.pdf`))
    await openHome(page)
    await openDialog(page)
    const second = newPdf('rating.pdf')
    await chooseFiles(page, [second])
    await categoryOf(page, second).selectOption('Other')
    await clickInDialog(page, 'Upload')
    await expect(dialog(page).getByText(`rating.pdf: ${SAME_NAME}`)).toBeVisible()
    const name = dialog(page).getByRole('textbox', { name: 'New name of rating.pdf' })
    await expect(name).toHaveValue('rating (2).pdf')
    await expectAccessible(page)
    await clickInDialog(page, 'Join photos into one PDF')
    await page.getByLabel('Photos of the pages').setInputFiles([await photoOf(page, 'One')])
    await expect(page.getByLabel('Name of the PDF')).toHaveValue(`Photos ${today} (2)`)
    await clickInDialog(page, 'Make PDF')
    await categoryOf(page, newPdf(`Photos ${today} (2).pdf`)).selectOption('Other')
    await clickInDialog(page, 'Upload')
    await expect(
      dialog(page).getByText(
        `Successfully uploaded documents rating (2).pdf, Photos ${today} (2).pdf`,
      ),
    ).toBeVisible()
  },
)

test(
  'a replacement continues in Settings, reports its failure there, and Log out asks first',
  { tag: '@phone' },
  async ({ page, signedIn }) => {
    await signedIn()
    await sendFile(page, newPdf('rating.pdf'))
    await openHome(page)
    const held = await holdAndFailRequests(page, '**/box/version/*')
    await chooseFileFor(page, 'Replace rating.pdf', newPdf('better.pdf', 1_500_000))
    const confirmation = page.getByRole('dialog', { name: 'Replace this document?' })
    await confirmation.getByRole('button', { name: 'Replace' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeFocused()
    held.release()
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to replace document' })
    await expect(failure).toContainText('rating.pdf')
    await expectAccessible(page)

    await page.unroute('**/box/version/*')
    const speedUp = await slowDown(page, 50_000)
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(failure).toBeHidden()
    await expect(page.getByRole('progressbar', { name: 'Upload of rating.pdf' })).toBeVisible()
    await expectAccessible(page)
    // A phone asks another question first.
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('button', { name: 'Log out' }).click()
    const question = page.getByRole('dialog', { name: 'Your upload is not finished' })
    await expect(question).toBeVisible()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Keep uploading' }).click()
    await expect(question).toBeHidden()
    await speedUp()
    await expect(page.getByRole('status').filter({ hasText: UPLOADED })).toBeVisible()
  },
)

test(
  'a requested form that was photographed page by page answers its request',
  { tag: '@phone' },
  async ({ page, signedIn, salesforce }) => {
    const james = await signedIn()
    await openHome(page)
    await requestDocument(page, salesforce, james, { name: 'Form 21-526EZ', type: 'Claim form' })
    await documentsSection(page).getByRole('button', { name: 'Upload Form 21-526EZ' }).click()
    await expect(dialog(page)).toHaveAccessibleName('Upload Form 21-526EZ')
    await expect(dialog(page).getByRole('button', { name: /^Choose a file/ })).toBeVisible()
    await expectAccessible(page)
    await dialog(page)
      .getByRole('button', { name: /^Take or join photos/ })
      .click()
    const photos = [await photoOf(page, 'One'), await photoOf(page, 'Two')]
    await page.getByLabel('Photos of the pages').setInputFiles(photos)
    await page.getByLabel('Name of the PDF').fill('claim')
    await clickInDialog(page, 'Join 2 pages')
    await expect(dialog(page).getByRole('button', { name: 'Upload', exact: true })).toBeFocused()
    await expectAccessible(page)
    await clickInDialog(page, 'Upload')
    await expect(dialog(page).getByText(UPLOADED)).toBeVisible()
    await expect(dialog(page)).toBeHidden()
    await expect(documentsSection(page).getByRole('button', { name: /^Replace/ })).toBeFocused()
    const listed = (await (await page.request.get(getDocuments.path)).json()) as Document[]
    expect(listed).toMatchObject([{ name: 'claim.pdf', type: 'Claim form' }])
  },
)

test(
  'picked files stay until the veteran discards them, and another file can replace a refused one',
  { tag: '@phone' },
  async ({ page, signedIn }) => {
    await signedIn()
    await openHome(page)
    await openDialog(page)
    await expect(dialog(page).getByText(/drag/i)).toBeHidden()
    const good = newPdf('good.pdf')
    const damaged = { ...newPdf('damaged.pdf'), buffer: Buffer.from('%PDF-1.4\nnothing else') }
    await chooseFiles(page, [good, damaged])
    // The files are read before they are listed.
    await expect(removeButton(page, good.name)).toBeVisible()
    const question = page.getByRole('dialog', { name: 'Discard the files you picked?' })
    for (const leave of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
      await leave()
      await expect(question).toBeVisible()
      await expectAccessible(page)
      await question.getByRole('button', { name: 'Keep them' }).click()
      await expect(question).toBeHidden()
      await expect(removeButton(page, good.name)).toBeVisible()
    }
    await expect(page).toHaveURL(screens.home)

    await clickInDialog(page, `Remove ${good.name}`)
    await expect(dialog(page).getByRole('button', { name: `Remove ${damaged.name}` })).toBeFocused()
    await chooseFiles(page, [good])
    for (const file of [damaged, good]) await categoryOf(page, file).selectOption('Other')
    await clickInDialog(page, 'Upload')
    await expect(dialog(page).getByText(`Successfully uploaded documents good.pdf`)).toBeVisible()
    await expect(dialog(page).getByRole('button', { name: 'Done' })).toBeVisible()
    await expect(dialog(page).getByRole('button', { name: /Try again|^Upload$/ })).toBeHidden()
    const another = /^Choose another file/
    await expect(dialog(page).getByRole('button', { name: another })).toBeFocused()
    await expectAccessible(page)
    await chooseFiles(page, [newPdf('copy.pdf')], another)
    await clickInDialog(page, 'Upload')
    await expect(
      dialog(page).getByText('Successfully uploaded documents good.pdf, copy.pdf'),
    ).toBeVisible()
    await expect(dialog(page)).toBeHidden()
    await expect(page.getByRole('button', { name: 'Upload Document' })).toBeFocused()
    await page.goBack()
    await expect(page).not.toHaveURL(screens.home)
  },
)

test(
  'an upload that loses the network keeps its file, and is sent again when the network is back',
  { tag: '@phone' },
  async ({ page, context, signedIn }) => {
    await signedIn()
    await openHome(page)
    const { promise: cut, resolve: cutNetwork } = Promise.withResolvers<void>()
    await page.route('**/box/uploadfile/me', async (route) => {
      await cut
      await route.abort('internetdisconnected')
    })
    await openDialog(page)
    const file = newPdf('large.pdf')
    await chooseFiles(page, [file])
    await categoryOf(page, file).selectOption('Other')
    await clickInDialog(page, 'Upload')
    await expect(dialog(page).getByRole('progressbar')).toBeVisible()
    await context.setOffline(true)
    cutNetwork()
    await expect(dialog(page).getByText(/^You are offline\. The file stays here/)).toBeVisible()
    await expect(removeButton(page, file.name)).toBeVisible()
    await expect(dialog(page).getByRole('button', { name: 'Try again' })).toBeVisible()
    await expectAccessible(page)
    await page.unroute('**/box/uploadfile/me')
    await context.setOffline(false)
    await expect(dialog(page).getByText('Successfully uploaded documents large.pdf')).toBeVisible()
    await expect(dialog(page)).toBeHidden()
    await expect(cardNames(page)).toHaveText([file.name])
  },
)
