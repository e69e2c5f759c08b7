import { randomUUID } from 'node:crypto'
import { getDocuments, uploadDocument } from '@guidon/contract/documents'
import type { BoxSandboxClient, SandboxFile } from '@guidon/sandbox/box/client'
import type { SalesforceControl } from '@guidon/sandbox/salesforce/client'
import type { Page } from '@playwright/test'
import type { Account } from '../../support/outside/account.ts'
import { contactIdOf, expectInPortal } from './crm.ts'
import { portalHeaders } from './session.ts'
import { expect } from './test.ts'

export interface TestFile {
  name: string
  mimeType: string
  buffer: Buffer
}

/** Returns a PDF of one page with unique content, and a comment of `padding` bytes. */
export function newPdf(name = `${randomUUID()}.pdf`, padding = 0): TestFile {
  const text = `BT /F1 24 Tf 72 700 Td (${randomUUID()}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [ 3 0 R ] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ' +
      '/Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let pdf = `%PDF-1.4\n%${'x'.repeat(padding)}\n`
  const offsets = objects.map((object, index) => {
    const offset = pdf.length
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = pdf.length
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  pdf += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(pdf, 'latin1') }
}

export const textFile = (name = 'notes.txt'): TestFile => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from('Not a document'),
})

/** Returns a JPEG of a page with one large word on it. */
export async function photoOf(page: Page, word: string, [width, height] = [1600, 1200]) {
  const jpeg = await page.evaluate(
    ({ text, canvasWidth, canvasHeight }) => {
      const canvas = Object.assign(document.createElement('canvas'), {
        width: canvasWidth,
        height: canvasHeight,
      })
      const drawing = canvas.getContext('2d')!
      drawing.fillStyle = '#f3efe4'
      drawing.fillRect(0, 0, canvasWidth, canvasHeight)
      drawing.fillStyle = '#223'
      drawing.font = `${canvasHeight / 4}px serif`
      drawing.fillText(text, canvasWidth / 20, canvasHeight / 3)
      return canvas.toDataURL('image/jpeg', 0.9).split(',')[1]!
    },
    { text: word, canvasWidth: width, canvasHeight: height },
  )
  const buffer = Buffer.from(jpeg, 'base64')
  return { name: `${word}.jpg`, mimeType: 'image/jpeg', buffer }
}

export const documentsSection = (page: Page) => page.getByRole('region', { name: 'Documents' })

/** The names on the cards, from top to bottom. */
export const cardNames = (page: Page) => documentsSection(page).getByRole('heading', { level: 3 })

export const card = (page: Page, name: string) =>
  documentsSection(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 3, name, exact: true }) })

export const uploadDialog = (page: Page) => page.getByRole('dialog', { name: /^Upload / })

export async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Upload Document' }).click()
  await expect(uploadDialog(page)).toBeVisible()
}

/** Clicks a button of the dialog. */
export const clickInDialog = (page: Page, name: string): Promise<void> =>
  uploadDialog(page).getByRole('button', { name, exact: true }).click()

/** Chooses files through a button of the dialog, or through its drop area. */
export async function chooseFiles(
  page: Page,
  files: TestFile[],
  button = /^(Drag and drop|Choose)/,
): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    uploadDialog(page).getByRole('button', { name: button }).click(),
  ])
  await chooser.setFiles(files)
}

/** Uploads a file without the screens, for journeys that test something else. */
export async function sendFile(page: Page, file: TestFile): Promise<void> {
  const multipart = { documentType: 'Other', file }
  const response = await page.request.post(uploadDocument.path, { multipart, ...portalHeaders() })
  expect(response.ok(), await response.text()).toBe(true)
}

/** Chooses a file through a button of a card. */
export async function chooseFileFor(
  page: Page,
  button: string | RegExp,
  file: TestFile,
): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    documentsSection(page).getByRole('button', { name: button }).click(),
  ])
  await chooser.setFiles(file)
}

export const categoryOf = (page: Page, { name }: TestFile) =>
  uploadDialog(page).getByRole('combobox', { name: `Category of ${name}` })

/** Requests a document as the provider's staff, waits until the portal has the request, and reloads. */
export async function requestDocument(
  page: Page,
  salesforce: SalesforceControl,
  account: Account,
  document: { name: string; type: string },
): Promise<void> {
  const contactId = await contactIdOf(account, salesforce)
  await salesforce.staff('request-document', { contactId, ...document })
  await expectInPortal(page, getDocuments.path, document.name)
  await page.reload()
}

/** Waits until the provider's file has these bytes, and returns it. */
export async function waitForStoredFile(
  box: BoxSandboxClient,
  name: string,
  { buffer }: Pick<TestFile, 'buffer'>,
): Promise<SandboxFile> {
  const find = async () => (await box.files()).find((file) => file.name === name)
  const stored = async () => {
    const found = await find()
    return found !== undefined && buffer.equals(await box.bytes(found.id))
  }
  await expect.poll(stored, { timeout: 40_000 }).toBe(true)
  // Read again: the version with these bytes may be newer than the one that was found.
  return (await find())!
}
