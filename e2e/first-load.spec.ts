import { gzipSync } from 'node:zlib'
import { screens } from '@guidon/contract/screens'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

const SIGN_IN_BUDGET_BYTES = 180_000
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

/** Opens a screen and returns the size of the JavaScript that it loads, as gzip. */
async function firstLoadOf(page: Page, path: string, shown: Locator): Promise<number> {
  const scripts = new Map<string, Promise<Buffer>>()
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js'))
      scripts.set(response.url(), response.body())
  })
  await page.goto(path)
  await expect(shown).toBeVisible()
  await page.waitForLoadState('networkidle')
  const bodies = await Promise.all(scripts.values())
  const total = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
  console.log(`first load of ${path}: ${bodies.length} files, ${total} bytes of gzip JavaScript`)
  return total
}

test(
  'the first load of /signin is at most 180 kB of gzip JavaScript',
  { tag: '@desktop-only' },
  async ({ page }) => {
    const button = page.getByRole('button', { name: 'Sign In' })
    const total = await firstLoadOf(page, screens.signIn, button)
    expect(total).toBeGreaterThan(0)
    expect(total).toBeLessThanOrEqual(SIGN_IN_BUDGET_BYTES)
  },
)

test(
  'the first load of Home is at most 238 kB of gzip JavaScript',
  { tag: '@desktop-only' },
  async ({ page, signedIn }) => {
    await signedIn()
    const lastBlock = page.getByText('No documents have been shared or requested.')
    const total = await firstLoadOf(page, screens.home, lastBlock)
    expect(total).toBeLessThanOrEqual(HOME_BUDGET_BYTES)
  },
)

test('assets are immutable, and are precompressed', { tag: '@desktop-only' }, async ({ page }) => {
  const [response] = await Promise.all([
    page.waitForResponse(/\/assets\/index-.*\.js$/),
    page.goto('/signin'),
  ])
  expect(response.headers()).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
  })
})
