import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import {
  aNote,
  aPdf,
  aPhoto,
  cardNames,
  categoryOf,
  openDialog,
  pick,
  press,
  requestDocument,
  storedAs,
  uploadDialog as dialog,
} from './house/documents-desk.ts'
import { expect, expectAccessible, signIn, test } from './house/test.ts'

const NARROW = { width: 320, height: 640 }
const WRONG_TYPE = 'Only PDF and JPEG files are accepted.'

test('the Upload Documents dialog: three files, each with a category', async ({
  page,
  account,
  mailbox,
  salesforce,
  box,
}) => {
  test.setTimeout(120_000)
  const james = await account()
  await signIn(page, james, mailbox)
  await requestDocument(page, salesforce, james, { name: 'Asked for', type: 'DD Form 214' })
  const [good, there, other] = [aPdf(), aPdf(), aPdf()]
  const sameName = aPdf(there.name)

  await test.step('one file, dropped', async () => {
    await openDialog(page)
    await expectAccessible(page)
    const drop = await page.evaluateHandle(
      ({ name, mimeType, bytes }) => {
        const held = new DataTransfer()
        held.items.add(new File([Uint8Array.from(bytes)], name, { type: mimeType }))
        return held
      },
      { ...there, bytes: [...there.buffer] },
    )
    const area = dialog(page).getByRole('button', { name: /files here/ })
    for (const event of ['dragenter', 'dragover', 'drop'])
      await area.dispatchEvent(event, { dataTransfer: drop })
    await categoryOf(page, there).selectOption('Other')
    await press(page, 'Upload')
    await expect(
      dialog(page).getByText(`Successfully uploaded documents ${there.name}`),
    ).toBeVisible()
    await expect(dialog(page)).toBeHidden({ timeout: 4_000 })
    await expect(cardNames(page).first()).toHaveText(there.name)
  })

  await test.step('a wrong type is refused at once', async () => {
    await openDialog(page)
    await pick(page, good, aNote(), sameName)
    await expect(dialog(page).getByRole('alert').filter({ hasText: WRONG_TYPE })).toContainText(
      'notes.txt',
    )
    await pick(page, other, aPdf())
    await expect(
      dialog(page).getByText('You can only upload up to 3 documents at a time.'),
    ).toBeVisible()
    await press(page, `Remove ${other.name}`)
  })

  await test.step('every file needs a category, and no two the same but Other', async () => {
    await press(page, 'Upload')
    await expect(dialog(page).getByText('Please select a category for each file.')).toBeVisible()
    await expect(categoryOf(page, good)).toBeFocused()
    await expectAccessible(page)
    const [category] = (await categoryOf(page, good).getByRole('option').allTextContents()).slice(1)
    await categoryOf(page, good).selectOption(category!)
    const left = await categoryOf(page, sameName).getByRole('option').allTextContents()
    expect(left).not.toContain(category)
    expect(left.at(-1)).toBe('Other')
    await categoryOf(page, sameName).selectOption('Other')
  })

  await test.step('what failed stays, and is tried again', async () => {
    await press(page, 'Upload')
    const failed = dialog(page).getByRole('alert').filter({ hasText: 'Failed to upload:' })
    await expect(failed.getByRole('listitem')).toHaveText([
      `${sameName.name}: A document with the same name already exists.`,
    ])
    await expect(categoryOf(page, good)).toBeHidden()
    await expect(
      dialog(page).getByText(`Successfully uploaded documents ${good.name}`),
    ).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize(NARROW)
    await expectAccessible(page)
    await press(page, 'Try again')
    await expect(failed).toBeVisible()
    await press(page, `Remove ${sameName.name}`)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
  })
  await expect(cardNames(page)).toHaveText([good.name, there.name, 'Asked for'])
  await page.reload()
  await expect(cardNames(page)).toHaveText(['Asked for', good.name, there.name])
  for (const file of [good, there]) await storedAs(box, file.name, file)
})

test('photos of pages become one PDF', async ({ page, account, mailbox, box }, info) => {
  test.setTimeout(90_000)
  await signIn(page, await account(), mailbox)
  await openDialog(page)
  await press(page, 'Join photos into one PDF')
  const photos = [
    await aPhoto(page, 'Two'),
    await aPhoto(page, 'One'),
    await aPhoto(page, 'Three', [900, 1200]),
  ]
  await page.getByLabel('Photos of the pages').setInputFiles(photos)
  const pages = dialog(page).getByRole('list', { name: 'Pages' }).getByRole('listitem')
  await expect(pages).toHaveCount(3)
  await page.keyboard.press('Tab')
  await dialog(page).getByRole('button', { name: 'Down page 1' }).focus()
  await page.keyboard.press('Enter')
  await expect(pages.first()).toContainText('One.jpg')
  await expect(dialog(page).getByRole('button', { name: 'Down page 2' })).toBeFocused()
  await press(page, 'Turn page 3')
  await expectAccessible(page)
  const name = `${randomUUID()}.pdf`
  await page.getByLabel('Name of the PDF').fill(name)
  await page.setViewportSize(NARROW)
  await expectAccessible(page)
  await press(page, 'Join 3 pages')
  const field = dialog(page).getByRole('combobox', { name: `Category of ${name}` })
  await expect(field).toBeFocused()
  await field.selectOption('Other')
  await press(page, 'Upload')
  await expect(dialog(page).getByText(`Successfully uploaded documents ${name}`)).toBeVisible()
  await expect.poll(async () => (await box.files()).some((file) => file.name === name)).toBe(true)
  const { id } = (await box.files()).find((file) => file.name === name)!
  const path = info.outputPath('joined.pdf')
  await writeFile(path, await box.bytes(id))
  expect(execFileSync('pdfinfo', [path]).toString()).toMatch(/^Pages:\s+3$/m)
  expect(execFileSync('qpdf', ['--check', path]).toString()).toContain('No syntax or stream')
})

test.describe('on one size of screen', () => {
  test.skip(({ isMobile }) => isMobile, 'the size of the screen makes no difference here')

  test('the dialog by keyboard alone; without categories only Other', async ({
    page,
    account,
    mailbox,
  }) => {
    await page.route('**/document-categories/me', (route) =>
      route.fulfill({ status: 503, json: { code: 'unexpected' } }),
    )
    await signIn(page, await account(), mailbox)
    await page.getByRole('button', { name: 'Upload Document' }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(dialog(page).getByRole('button', { name: /Drag and drop/ })).toBeFocused()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.keyboard.press('Enter'),
    ])
    const file = aPdf()
    await chooser.setFiles(file)
    const field = categoryOf(page, file)
    await expect(field.getByRole('option')).toHaveText(['Select a category', 'Other'])
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
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(
      dialog(page).getByText(`Successfully uploaded documents ${file.name}`),
    ).toBeVisible()
    await expect(dialog(page)).toBeHidden({ timeout: 4_000 })
    await expect(page.getByRole('button', { name: 'Upload Document' })).toBeFocused()
  })

  test('an upload is cancelled, fails, and asks before the page is left', async ({
    page,
    account,
    mailbox,
  }) => {
    await signIn(page, await account(), mailbox)
    const held = Promise.withResolvers<void>()
    await page.route('**/box/uploadfile/me', async (route) => {
      await held.promise
      await route.fulfill({ status: 500, json: { code: 'unexpected' } }).catch(() => {})
    })
    await openDialog(page)
    const file = aPdf()
    await pick(page, file)
    await categoryOf(page, file).selectOption('Other')
    await press(page, 'Upload')
    await expect(dialog(page).getByRole('progressbar')).toBeVisible()
    const [question] = await Promise.all([
      page.waitForEvent('dialog'),
      page.evaluate(() => setTimeout(() => location.reload())),
    ])
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()
    await press(page, `Cancel ${file.name}`)
    await expect(dialog(page).getByRole('progressbar')).toBeHidden()
    await press(page, 'Upload')
    await expectAccessible(page)
    held.resolve()
    await expect(
      dialog(page).getByText(`${file.name}: Failed to upload document, please try again later.`),
    ).toBeVisible()
  })
})
