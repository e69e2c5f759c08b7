import { getDocuments } from '@guidon/contract/documents'
import type { Document } from '@guidon/contract/documents'
import { fileGone } from '@guidon/contract/viewing'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { contactIdOf } from './support/crm.ts'
import {
  card,
  documentsSection,
  newPdf,
  photoOf,
  sendFile,
  waitForStoredFile,
} from './support/documents-page.ts'
import { choose, dialog, openManageUsers } from './support/manage-users-page.ts'
import { useOwnStack } from './support/own-stack.ts'
import { logOut, openHome, openSession } from './support/session.ts'
import { expect, test } from './support/test.ts'

test.describe.configure({ mode: 'serial', timeout: 90_000 })
useOwnStack({ DOCUMENT_VIEWING: 'on' })

const idOf = async (page: Page, name: string): Promise<string> => {
  const listed = (await (await page.request.get(getDocuments.path)).json()) as Document[]
  return listed.find((one) => one.name === name)!.id
}

test(
  'a veteran looks at a photo, and saves a PDF with the same bytes',
  { tag: '@phone' },
  async ({ page, signedIn }) => {
    await signedIn()
    await openHome(page)
    const [photo, pdf] = [await photoOf(page, 'Front'), newPdf('dd214.pdf')]
    await sendFile(page, photo)
    await sendFile(page, pdf)
    await page.reload()
    await expect(documentsSection(page)).not.toContainText('Viewing uploaded files')

    const view = card(page, photo.name).getByRole('button', { name: 'View Front.jpg' })
    await view.click()
    const shown = dialog(page, photo.name)
    const picture = shown.getByRole('img', { name: photo.name })
    await expect(shown.getByText('Loading…')).toBeHidden()
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(1600)
    await expectAccessible(page)
    await shown.getByRole('button', { name: 'Larger' }).click()
    await shown.getByRole('button', { name: 'Smaller' }).click()
    await page.keyboard.press('Escape')
    await expect(shown).toBeHidden()
    await expect(view).toBeFocused()

    const download = card(page, pdf.name).getByRole('button', { name: 'Download dd214.pdf' })
    const [saved] = await Promise.all([page.waitForEvent('download'), download.click()])
    expect(saved.suggestedFilename()).toBe(pdf.name)
    const chunks: Buffer[] = []
    for await (const chunk of await saved.createReadStream()) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).equals(pdf.buffer)).toBe(true)
    await expectAccessible(page)
  },
)

test(
  'a file that is gone in Box says so, and the list stays usable',
  { tag: '@phone' },
  async ({ page, signedIn, box }) => {
    await signedIn()
    await openHome(page)
    const pdf = newPdf()
    await sendFile(page, pdf)
    const { id } = await waitForStoredFile(box, pdf.name, pdf)
    await box.deleteFile(id)
    await page.reload()
    await card(page, pdf.name)
      .getByRole('button', { name: `Download ${pdf.name}` })
      .click()
    await expect(card(page, pdf.name)).toContainText(fileGone.message)
    await expectAccessible(page)
  },
)

test(
  'in a tab of its own a photo has no access to the portal, and after logging out nothing is shown',
  { tag: '@phone' },
  async ({ page, signedIn }) => {
    await signedIn()
    await openHome(page)
    const photo = await photoOf(page, 'Back')
    await sendFile(page, photo)
    const address = `/documents/me/${await idOf(page, photo.name)}/content?as=view`
    await page.goto(address)
    // A sandboxed document has an origin of its own: its cookies cannot be read.
    expect(
      await page.evaluate(() => {
        try {
          return `cookies: ${document.cookie}`
        } catch (error) {
          return (error as Error).name
        }
      }),
    ).toBe('SecurityError')
    await openHome(page)
    await logOut(page)
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
    const after = await page.goto(address)
    expect(after?.status()).toBe(401)
    await expect(page.locator('img')).toHaveCount(0)
  },
)

test(
  'staff open the file of a veteran from User Documents',
  { tag: '@phone' },
  async ({ page, account, signedIn, mailbox, salesforce }) => {
    const veteran = await account()
    await openSession(page, veteran, mailbox)
    await openHome(page)
    const photo = await photoOf(page, 'Letter')
    await sendFile(page, photo)
    await contactIdOf(veteran, salesforce)
    await page.context().clearCookies()
    await signedIn('STAFF')
    await openManageUsers(page)
    await choose(page, veteran, 'View Documents')
    const documents = dialog(page, 'User Documents')
    await expect(documents.getByRole('button', { name: 'Download Letter.jpg' })).toBeVisible()
    await expectAccessible(page)
    await documents.getByRole('button', { name: 'View Letter.jpg' }).click()
    const shown = dialog(page, photo.name)
    await expect(shown.getByText('Loading…')).toBeHidden()
    await expect(shown.getByRole('img', { name: photo.name })).toBeVisible()
    await shown.getByRole('button', { name: 'Close' }).click()
    await expect(documents.getByRole('button', { name: 'View Letter.jpg' })).toBeFocused()
  },
)
