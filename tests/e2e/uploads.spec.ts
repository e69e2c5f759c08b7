import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getDocuments, type Document } from '@guidon/contract/documents'
import {
  createUpload,
  getUnfinishedUploads,
  TUS_VERSION,
  UNFINISHED_MAX,
  type UnfinishedUpload,
} from '@guidon/contract/resumable-uploads'
import { BoxSandboxClient } from '@guidon/sandbox/box/client'
import { MailboxClient } from '@guidon/sandbox/mailbox/client'
import { startStack } from '@guidon/sandbox/stack/stack'
import type { Stack } from '@guidon/sandbox/stack/stack'
import type { Page } from '@playwright/test'
import { newAccount } from '../support/outside/account.ts'
import { startCuttingProxy, type CuttingProxy } from '../support/outside/cutting-proxy.ts'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import {
  card,
  categoryOf,
  chooseFiles,
  clickInDialog,
  documentsSection,
  newPdf,
  openDialog,
  uploadDialog,
  waitForStoredFile,
  type TestFile,
} from './support/documents-page.ts'
import { openHome, signIn } from './support/session.ts'
import { expect, test as base } from './support/test.ts'

const MEGABYTE = 1024 * 1024
/** Every connection is slow, and cut in the middle of a part. */
const BAD_NETWORK = {
  cutAfterBytes: () => 2 * MEGABYTE,
  bytesPerSecond: 2 * MEGABYTE,
  cuts: 0,
}
const GOOD_NETWORK = { cutAfterBytes: undefined, bytesPerSecond: undefined }
/** So slow that an upload does not end while something else is looked at. */
const ALMOST_NO_NETWORK = { bytesPerSecond: 20_000 }

/** A separate stack, because its portal is behind a bad connection. */
interface BadConnection {
  stack: Stack
  proxy: CuttingProxy
}

/* oxlint-disable no-empty-pattern -- Playwright reads a fixture's needs from this pattern. */
const test = base.extend<object, { bad: BadConnection }>({
  bad: [
    async ({}, use) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'guidon-uploads-'))
      const proxy = await startCuttingProxy()
      const stack = await startStack({
        dataDir,
        mode: 'production',
        apis: 2,
        workers: 1,
        balancer: true,
        durable: false,
        env: { PUBLIC_URL: `http://localhost:${proxy.port}` },
      })
      proxy.targetPort = Number(new URL(stack.urls.portal).port)
      await use({ stack, proxy })
      await stack.stop()
      await proxy.down()
      rmSync(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ bad }, use) => {
    await use(`http://localhost:${bad.proxy.port}`)
    Object.assign(bad.proxy, GOOD_NETWORK)
  },
  mailbox: async ({ bad }, use) => use(new MailboxClient(bad.stack.urls.mailbox)),
  box: async ({ bad }, use) => use(new BoxSandboxClient(bad.stack.urls.box)),
})
/* oxlint-enable no-empty-pattern */

test.describe.configure({ mode: 'serial', timeout: 360_000 })

async function openPortal(page: Page, stack: Stack, mailbox: MailboxClient): Promise<void> {
  const james = newAccount()
  await stack.admin(['create-users'], JSON.stringify([james]))
  await signIn(page, james, mailbox)
  const heading = page.getByRole('heading', { level: 1, name: 'Welcome, James' })
  await expect(heading).toBeVisible({ timeout: 30_000 })
}

/** Chooses a file in the dialog, and presses Upload. */
async function startUpload(page: Page, file: TestFile): Promise<void> {
  await openDialog(page)
  await chooseFiles(page, [file])
  await categoryOf(page, file).selectOption('Other')
  await clickInDialog(page, 'Upload')
}

/** Empty if the connection is cut. */
async function unfinishedUploads(page: Page): Promise<UnfinishedUpload[]> {
  const response = await page.request.get(getUnfinishedUploads.path).catch(() => undefined)
  return response?.ok() ? ((await response.json()) as UnfinishedUpload[]) : []
}

const expectUnfinished = (page: Page) =>
  expect.poll(async () => (await unfinishedUploads(page)).length, { timeout: 60_000 }).toBe(1)

/** One document, and one version of one file in Box with the same bytes. */
async function expectStoredOnce(page: Page, box: BoxSandboxClient, file: TestFile): Promise<void> {
  const { versions } = await waitForStoredFile(box, file.name, file)
  expect(versions).toHaveLength(1)
  expect((await box.files()).filter(({ name }) => name === file.name)).toHaveLength(1)
  const listed = (await (await page.request.get(getDocuments.path)).json()) as Document[]
  expect(listed.filter(({ name }) => name === file.name)).toHaveLength(1)
  expect(await unfinishedUploads(page)).toEqual([])
}

const expectUploaded = (page: Page, file: TestFile) =>
  expect(page.getByText(`Successfully uploaded documents ${file.name}`).first()).toBeVisible({
    timeout: 240_000,
  })

test(
  'a file arrives whole and once although every connection is cut',
  { tag: '@phone' },
  async ({ page, bad, mailbox, box }) => {
    await openPortal(page, bad.stack, mailbox)
    const file = newPdf('cut.pdf', 8 * MEGABYTE)
    const { proxy } = bad
    Object.assign(proxy, BAD_NETWORK)
    const shown = await watchPercent(page)
    await startUpload(page, file)
    await expect.poll(() => proxy.cuts).toBeGreaterThan(1)
    // No connection at all, until the page says so.
    await proxy.down()
    await expect(
      uploadDialog(page).getByText('Connection lost. We continue as soon as it is back.'),
    ).toBeVisible({ timeout: 30_000 })
    await expectAccessible(page)
    await proxy.up()
    await expectUploaded(page, file)
    expect(proxy.cuts).toBeGreaterThan(3)
    const percents = await shown()
    expect(percents.length).toBeGreaterThan(1)
    expect(percents).toEqual(percents.toSorted((a, b) => a - b))
    Object.assign(proxy, GOOD_NETWORK)
    await expectStoredOnce(page, box, file)
  },
)

/** Returns a function that returns all percentages that were shown. */
async function watchPercent(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const shown: number[] = []
    Object.assign(window, { shownPercents: shown })
    new MutationObserver(() => {
      const percent = /Uploading… (\d+)%/.exec(document.body.textContent)?.[1]
      if (percent !== undefined && shown.at(-1) !== Number(percent)) shown.push(Number(percent))
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => (window as unknown as { shownPercents: number[] }).shownPercents)
}

test(
  'an upload whose tab was closed continues once its file is chosen again, and only then',
  { tag: '@phone' },
  async ({ page, context, bad, mailbox, box }) => {
    await openPortal(page, bad.stack, mailbox)
    const file = newPdf('closed.pdf', 8 * MEGABYTE)
    Object.assign(bad.proxy, BAD_NETWORK)
    await startUpload(page, file)
    await expect.poll(() => bad.proxy.cuts).toBeGreaterThan(1)
    await page.close({ runBeforeUnload: false })
    Object.assign(bad.proxy, GOOD_NETWORK)

    const next = await context.newPage()
    await openHome(next)
    const row = documentsSection(next)
      .getByRole('list', { name: 'Uploads that are not finished' })
      .getByRole('listitem')
    await expect(row).toContainText(/closed\.pdf\s*\d+% of 8\.0 MB is sent/)
    await expectAccessible(next)

    const parts: string[] = []
    next.on('request', (request) => {
      if (request.method() === 'PATCH') parts.push(request.url())
    })
    const [before] = await unfinishedUploads(next)
    const other = { ...file, buffer: Buffer.from(file.buffer).fill('y', 100, 200) }
    await chooseInRow(next, other)
    await expect(row.getByRole('alert')).toHaveText(/is not the file that you started with/)
    await expect(row.getByRole('button', { name: 'Upload closed.pdf as a new file' })).toBeVisible()
    expect(parts).toEqual([])
    expect((await unfinishedUploads(next))[0]?.offset).toBe(before!.offset)
    await expectAccessible(next)
    const size = next.viewportSize()!
    await next.setViewportSize(NARROWEST_WINDOW)
    await expectAccessible(next)
    await next.setViewportSize(size)

    Object.assign(bad.proxy, BAD_NETWORK)
    await chooseInRow(next, file)
    await expectUploaded(next, file)
    Object.assign(bad.proxy, GOOD_NETWORK)
    await expect(row).toHaveCount(0)
    await expectStoredOnce(next, box, file)
    await expect(card(next, file.name).getByText('In your records')).toBeVisible({
      timeout: 40_000,
    })
  },
)

async function chooseInRow(page: Page, file: TestFile): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    documentsSection(page)
      .getByRole('button', { name: /^Choose file to continue/ })
      .click(),
  ])
  await chooser.setFiles(file)
}

test(
  'an upload is not listed as unfinished in a second tab while the first one sends it',
  { tag: '@phone' },
  async ({ page, context, bad, mailbox, box }) => {
    await openPortal(page, bad.stack, mailbox)
    const file = newPdf('two-tabs.pdf', 8 * MEGABYTE)
    Object.assign(bad.proxy, ALMOST_NO_NETWORK)
    await startUpload(page, file)
    await expectUnfinished(page)

    const second = await context.newPage()
    const [listed] = await Promise.all([
      second.waitForResponse((response) => response.url().endsWith(getUnfinishedUploads.path)),
      openHome(second),
    ])
    expect(((await listed.json()) as UnfinishedUpload[]).map(({ name }) => name)).toEqual([
      file.name,
    ])
    await expect(documentsSection(second).getByText('No documents have been')).toBeVisible()
    await expect(documentsSection(second).getByText('Not finished')).toHaveCount(0)

    await page.close({ runBeforeUnload: false })
    Object.assign(bad.proxy, GOOD_NETWORK)
    await second.reload()
    await expect(documentsSection(second).getByText('Not finished')).toBeVisible()
    await chooseInRow(second, file)
    await expectUploaded(second, file)
    await expectStoredOnce(second, box, file)
  },
)

test(
  'with three unfinished uploads, a fourth one leads to their list',
  { tag: '@phone' },
  async ({ page, baseURL, bad, mailbox, box }) => {
    await openPortal(page, bad.stack, mailbox)
    for (let number = 1; number <= UNFINISHED_MAX; number += 1)
      await createUnfinished(page, baseURL!, `first-${number}.pdf`)
    const file = newPdf('fourth.pdf', 6 * MEGABYTE)
    await startUpload(page, file)
    const dialog = uploadDialog(page)
    await expect(dialog.getByText(/You have 3 uploads that are not finished/).first()).toBeVisible()
    const rows = dialog
      .getByRole('list', { name: 'Uploads that are not finished' })
      .getByRole('listitem')
    await expect(rows).toHaveCount(UNFINISHED_MAX)
    await expectAccessible(page)
    await rows
      .first()
      .getByRole('button', { name: /^Remove/ })
      .click()
    await expect(rows).toHaveCount(UNFINISHED_MAX - 1)
    await clickInDialog(page, 'Try again')
    await expectUploaded(page, file)
    await waitForStoredFile(box, file.name, file)
  },
)

async function createUnfinished(page: Page, origin: string, name: string): Promise<void> {
  const value = (text: string) => Buffer.from(text).toString('base64')
  const response = await page.request.post(createUpload.path, {
    headers: {
      origin,
      'Tus-Resumable': TUS_VERSION,
      'Upload-Length': String(6 * MEGABYTE),
      'Upload-Metadata': `filename ${value(name)},documentType ${value('Other')}`,
    },
  })
  expect(response.status(), await response.text()).toBe(201)
}
