import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import {
  cardNames,
  categoryOf,
  chooseFiles,
  clickInDialog,
  newPdf,
  openDialog,
  photoOf,
  requestDocument,
  waitForStoredFile,
  textFile,
  uploadDialog as dialog,
} from './support/documents-page.ts'
import { failRequests, holdAndFailRequests } from './support/failing-requests.ts'
import { openHome } from './support/session.ts'
import { expect, test } from './support/test.ts'

const WRONG_TYPE = 'Only PDF and JPEG files are accepted.'

test(
  'the Upload Documents dialog: three files, each with a category',
  { tag: '@phone' },
  async ({ page, signedIn, salesforce, box }) => {
    test.setTimeout(120_000)
    const james = await signedIn()
    await openHome(page)
    await requestDocument(page, salesforce, james, { name: 'Asked for', type: 'Other' })
    const [good, existing, other] = [newPdf(), newPdf(), newPdf()]
    const sameName = newPdf(existing.name)

    await test.step('one file, dropped', async () => {
      await openDialog(page)
      await expectAccessible(page)
      const drop = await page.evaluateHandle(
        ({ name, mimeType, bytes }) => {
          const transfer = new DataTransfer()
          transfer.items.add(new File([Uint8Array.from(bytes)], name, { type: mimeType }))
          return transfer
        },
        { ...existing, bytes: [...existing.buffer] },
      )
      const area = dialog(page).getByRole('button', { name: /files/ })
      for (const event of ['dragenter', 'dragover', 'drop'])
        await area.dispatchEvent(event, { dataTransfer: drop })
      await categoryOf(page, existing).selectOption('Other')
      await clickInDialog(page, 'Upload')
      await expect(
        dialog(page).getByText(`Successfully uploaded documents ${existing.name}`),
      ).toBeVisible()
      await expect(dialog(page)).toBeHidden()
      await expect(cardNames(page).first()).toHaveText(existing.name)
    })

    await test.step('a wrong type and a fourth file are refused at once', async () => {
      await openDialog(page)
      await chooseFiles(page, [good, textFile(), sameName])
      await expect(dialog(page).getByRole('alert').filter({ hasText: WRONG_TYPE })).toContainText(
        'notes.txt',
      )
      await chooseFiles(page, [other, newPdf()])
      await expect(
        dialog(page).getByText('You can only upload up to 3 documents at a time.'),
      ).toBeVisible()
      await clickInDialog(page, `Remove ${other.name}`)
    })

    await test.step('every file needs a category, and only Other may be chosen twice', async () => {
      await clickInDialog(page, 'Upload')
      await expect(dialog(page).getByText('Please select a category for each file.')).toBeVisible()
      await expect(categoryOf(page, good)).toBeFocused()
      await expectAccessible(page)
      const [category] = (await categoryOf(page, good).getByRole('option').allTextContents()).slice(
        1,
      )
      await categoryOf(page, good).selectOption(category!)
      const remaining = await categoryOf(page, sameName).getByRole('option').allTextContents()
      expect(remaining).not.toContain(category)
      expect(remaining.at(-1)).toBe('Other')
      await categoryOf(page, sameName).selectOption('Other')
    })

    await test.step('a failed file stays', async () => {
      await clickInDialog(page, 'Upload')
      const failed = dialog(page).getByRole('alert').filter({ hasText: 'Failed to upload:' })
      await expect(failed.getByRole('listitem')).toHaveText([
        `${sameName.name}: A document with the same name already exists.`,
      ])
      await expect(categoryOf(page, good)).toBeHidden()
      await expect(
        dialog(page).getByText(`Successfully uploaded documents ${good.name}`),
      ).toBeVisible()
      await expectAccessible(page)
      await page.setViewportSize(NARROWEST_WINDOW)
      await expectAccessible(page)
      await expect(dialog(page).getByRole('button', { name: 'Done' })).toBeVisible()
      await clickInDialog(page, `Remove ${sameName.name}`)
      await expect(dialog(page)).toBeHidden()
    })
    await expect(cardNames(page)).toHaveText([good.name, existing.name, 'Asked for'])
    await page.reload()
    await expect(cardNames(page)).toHaveText(['Asked for', good.name, existing.name])
    for (const file of [good, existing]) await waitForStoredFile(box, file.name, file)
  },
)

test('photos of pages become one PDF', { tag: '@phone' }, async ({ page, signedIn, box }, info) => {
  test.setTimeout(90_000)
  await signedIn()
  await openHome(page)
  await openDialog(page)
  await clickInDialog(page, 'Join photos into one PDF')
  const photos = [
    await photoOf(page, 'Two'),
    await photoOf(page, 'One'),
    await photoOf(page, 'Three', [900, 1200]),
  ]
  await page.getByLabel('Photos of the pages').setInputFiles(photos)
  const pages = dialog(page).getByRole('list', { name: 'Pages' }).getByRole('listitem')
  await expect(pages).toHaveCount(3)
  await page.keyboard.press('Tab')
  await dialog(page).getByRole('button', { name: 'Down page 1' }).focus()
  await page.keyboard.press('Enter')
  await expect(pages.first()).toContainText('One.jpg')
  await expect(dialog(page).getByRole('button', { name: 'Down page 2' })).toBeFocused()
  await clickInDialog(page, 'Turn page 3')
  await expectAccessible(page)
  const name = `${randomUUID()}.pdf`
  await page.getByLabel('Name of the PDF').fill(name)
  await page.setViewportSize(NARROWEST_WINDOW)
  await expectAccessible(page)
  await clickInDialog(page, 'Join 3 pages')
  const field = dialog(page).getByRole('combobox', { name: `Category of ${name}` })
  await expect(field).toBeFocused()
  await field.selectOption('Other')
  await clickInDialog(page, 'Upload')
  await expect(dialog(page).getByText(`Successfully uploaded documents ${name}`)).toBeVisible()
  await expect.poll(async () => (await box.files()).some((file) => file.name === name)).toBe(true)
  const { id } = (await box.files()).find((file) => file.name === name)!
  const path = info.outputPath('joined.pdf')
  await writeFile(path, await box.bytes(id))
  expect(execFileSync('pdfinfo', [path]).toString()).toMatch(/^Pages:\s+3$/m)
  expect(execFileSync('qpdf', ['--check', path]).toString()).toContain('No syntax or stream')
})

test(
  'the dialog works by keyboard alone, and offers only Other if the categories cannot be loaded',
  { tag: '@desktop-only' },
  async ({ page, signedIn }) => {
    await failRequests(page, '**/document-categories/me', 503)
    await signedIn()
    await openHome(page)
    await page.getByRole('button', { name: 'Upload Document' }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeVisible()
    // Listens before Tab, because Enter could reach the page before the listener does.
    const chooserOpened = page.waitForEvent('filechooser')
    await page.keyboard.press('Tab')
    await expect(dialog(page).getByRole('button', { name: /Drag and drop/ })).toBeFocused()
    await page.keyboard.press('Enter')
    const chooser = await chooserOpened
    const file = newPdf()
    await chooser.setFiles(file)
    const field = categoryOf(page, file)
    await expect(field.getByRole('option')).toHaveText(['Select a category', 'Other'])
    await page.keyboard.press('Tab')
    await expect(dialog(page).getByRole('button', { name: /phone’s camera/ })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(
      dialog(page).getByRole('button', { name: 'Join photos into one PDF' }),
    ).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(dialog(page).getByRole('button', { name: `Remove ${file.name}` })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('O')
    await expect(field).toHaveValue('Other')
    await page.keyboard.press('Tab')
    await expect(dialog(page).getByRole('button', { name: /^Add a note/ })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(dialog(page).getByRole('button', { name: 'Upload', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(
      dialog(page).getByText(`Successfully uploaded documents ${file.name}`),
    ).toBeVisible()
    await expect(dialog(page)).toBeHidden()
    await expect(page.getByRole('button', { name: 'Upload Document' })).toBeFocused()
  },
)

test(
  'an upload can be cancelled, shows its failure, and asks before the page is left',
  { tag: '@desktop-only' },
  async ({ page, signedIn }) => {
    await signedIn()
    await openHome(page)
    const { release } = await holdAndFailRequests(page, '**/box/uploadfile/me', 500)
    await openDialog(page)
    const file = newPdf()
    await chooseFiles(page, [file])
    await categoryOf(page, file).selectOption('Other')
    await clickInDialog(page, 'Upload')
    await expect(dialog(page).getByRole('progressbar')).toBeVisible()
    const [confirmation] = await Promise.all([
      page.waitForEvent('dialog'),
      page.evaluate(() => setTimeout(() => location.reload())),
    ])
    expect(confirmation.type()).toBe('beforeunload')
    await confirmation.dismiss()
    await clickInDialog(page, `Cancel ${file.name}`)
    await expect(dialog(page).getByRole('progressbar')).toBeHidden()
    await clickInDialog(page, 'Upload')
    await expectAccessible(page)
    release()
    await expect(
      dialog(page).getByText(`${file.name}: Failed to upload document, please try again later.`),
    ).toBeVisible()
  },
)
