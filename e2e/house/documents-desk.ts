import { randomUUID } from 'node:crypto'
import type { BoxSandboxClient, SandboxFile } from '@guidon/sandbox/box/client'
import type { SalesforceControl } from '@guidon/sandbox/salesforce/client'
import type { Page } from '@playwright/test'
import type { Account } from './account.ts'
import { expect } from './test.ts'

export interface GivenFile {
  name: string
  mimeType: string
  buffer: Buffer
}

/** A PDF of one page that is like no other. */
export function aPdf(name = `${randomUUID()}.pdf`): GivenFile {
  const text = `BT /F1 24 Tf 72 700 Td (${randomUUID()}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [ 3 0 R ] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ' +
      '/Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let whole = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = whole.length
    whole += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const table = whole.length
  whole += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  whole += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(whole, 'latin1') }
}

export const aNote = (name = 'notes.txt'): GivenFile => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from('Not a document'),
})

/** A photo as a camera would take it: a page with a large word on it. */
export async function aPhoto(page: Page, word: string, [width, height] = [1600, 1200]) {
  const drawn = await page.evaluate(
    ({ text, across, down }) => {
      const canvas = Object.assign(document.createElement('canvas'), {
        width: across,
        height: down,
      })
      const pen = canvas.getContext('2d')!
      pen.fillStyle = '#f3efe4'
      pen.fillRect(0, 0, across, down)
      pen.fillStyle = '#223'
      pen.font = `${down / 4}px serif`
      pen.fillText(text, across / 20, down / 3)
      return canvas.toDataURL('image/jpeg', 0.9).split(',')[1]!
    },
    { text: word, across: width, down: height },
  )
  const buffer = Buffer.from(drawn, 'base64')
  return { name: `${word}.jpg`, mimeType: 'image/jpeg', buffer }
}

export const section = (page: Page) => page.getByRole('region', { name: 'Documents' })

/** The cards' names from top to bottom. */
export const cardNames = (page: Page) => section(page).getByRole('heading', { level: 3 })

export const card = (page: Page, name: string) =>
  section(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 3, name, exact: true }) })

export const uploadDialog = (page: Page) => page.getByRole('dialog', { name: 'Upload Documents' })

export async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Upload Document' }).click()
  await expect(uploadDialog(page)).toBeVisible()
}

/** A button of the dialog. */
export const press = (page: Page, name: string): Promise<void> =>
  uploadDialog(page).getByRole('button', { name, exact: true }).click()

/** Puts files where the drop area's click would. */
export async function pick(page: Page, ...files: GivenFile[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    uploadDialog(page)
      .getByRole('button', { name: /Drag and drop/ })
      .click(),
  ])
  await chooser.setFiles(files)
}

export async function pickFor(page: Page, button: string, file: GivenFile): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    section(page).getByRole('button', { name: button }).click(),
  ])
  await chooser.setFiles(file)
}

export const categoryOf = (page: Page, { name }: GivenFile) =>
  uploadDialog(page).getByRole('combobox', { name: `Category of ${name}` })

/** The provider's staff ask for a document; settles once the portal knows, on a fresh page. */
export async function requestDocument(
  page: Page,
  salesforce: SalesforceControl,
  { email }: Account,
  document: { name: string; type: string },
): Promise<void> {
  const [contact] = await salesforce.rows<{ Id: string }>('Contact', { Email: email })
  await salesforce.staff('request-document', { contactId: contact?.Id, ...document })
  const known = async () => (await page.request.get('/salesforce/documents/me')).text()
  await expect.poll(known, { timeout: 40_000 }).toContain(document.name)
  await page.reload()
}

/** The file as the provider has it, once it holds these bytes. */
export async function storedAs(
  box: BoxSandboxClient,
  name: string,
  { buffer }: Pick<GivenFile, 'buffer'>,
): Promise<SandboxFile> {
  let found: SandboxFile | undefined
  const stored = async () => {
    found = (await box.files()).find((file) => file.name === name)
    return found !== undefined && buffer.equals(await box.bytes(found.id))
  }
  await expect.poll(stored, { timeout: 40_000 }).toBe(true)
  return found!
}
