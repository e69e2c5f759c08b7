import { gzipSync } from 'node:zlib'
import { screens } from '@guidon/contract/screens'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

const SIGN_IN_BUDGET_BYTES = 150_000
const SIGN_UP_BUDGET_BYTES = 200_000
const HOME_BUDGET_BYTES = 238_000

// With the browser's data saver, the code of later screens is not fetched ahead.
test.use({
  page: async ({ page }, use) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
    })
    await use(page)
  },
})

/** Files that are sent compressed. Fonts are compressed already. */
const COMPRESSED = /\.(js|css|svg)$/

/** Opens a screen and returns the size of the files that it loads, compressed with gzip: of scripts, and of all. */
async function firstLoadOf(page: Page, path: string, shown: Locator) {
  const files = new Map<string, Promise<Buffer>>()
  page.on('response', (response) => files.set(response.url(), response.body()))
  await page.goto(path)
  await expect(shown).toBeVisible()
  await page.waitForLoadState('networkidle')
  let scripts = 0
  let all = 0
  for (const [url, body] of files) {
    const name = new URL(url).pathname
    const bytes = await body
    const size = COMPRESSED.test(name) ? gzipSync(bytes, { level: 9 }).length : bytes.length
    all += size
    if (name.endsWith('.js')) scripts += size
  }
  console.log(
    `first load of ${path}: ${files.size} files, ${scripts} bytes of scripts, ${all} in all`,
  )
  return { scripts, all }
}

test(
  'the first load of /signin is at most 150 kB of gzip JavaScript',
  { tag: '@desktop-only' },
  async ({ page }) => {
    const button = page.getByRole('button', { name: 'Sign In' })
    const { scripts } = await firstLoadOf(page, screens.signIn, button)
    expect(scripts).toBeGreaterThan(0)
    expect(scripts).toBeLessThanOrEqual(SIGN_IN_BUDGET_BYTES)
  },
)

test(
  'the first load of /signup is at most 200 kB in all',
  { tag: '@desktop-only' },
  async ({ page }) => {
    const button = page.getByRole('button', { name: 'Sign Up' })
    const { all } = await firstLoadOf(page, screens.signUp, button)
    expect(all).toBeLessThanOrEqual(SIGN_UP_BUDGET_BYTES)
  },
)

test(
  'the first load of Home is at most 238 kB of gzip JavaScript',
  { tag: '@desktop-only' },
  async ({ page, signedIn }) => {
    await signedIn()
    const lastBlock = page.getByText('No documents have been shared or requested.')
    const { scripts } = await firstLoadOf(page, screens.home, lastBlock)
    expect(scripts).toBeLessThanOrEqual(HOME_BUDGET_BYTES)
  },
)

test('assets are immutable, and are precompressed', { tag: '@desktop-only' }, async ({ page }) => {
  const [response] = await Promise.all([
    page.waitForResponse(/\/assets\/app-.*\.js$/),
    page.goto('/signin'),
  ])
  expect(response.headers()).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
  })
})
