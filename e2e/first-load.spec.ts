import { gzipSync } from 'node:zlib'
import { expect, test } from './support/test.ts'

const BUDGET_BYTES = 180_000

// With the browser's data saver, the code of later screens is not fetched ahead.
test.use({
  page: async ({ page }, use) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
    })
    await use(page)
  },
})

test(
  'the first load of /signin is at most 180 kB of gzip JavaScript',
  { tag: '@desktop-only' },
  async ({ page }) => {
    const scripts = new Map<string, Promise<Buffer>>()
    page.on('response', (response) => {
      if (new URL(response.url()).pathname.endsWith('.js'))
        scripts.set(response.url(), response.body())
    })
    await page.goto('/signin', { waitUntil: 'networkidle' })
    await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()

    let total = 0
    for (const [url, body] of scripts) {
      const size = gzipSync(await body, { level: 9 }).length
      total += size
      console.log(`${String(size).padStart(8)}  ${new URL(url).pathname}`)
    }
    console.log(`${String(total).padStart(8)}  total of ${BUDGET_BYTES}`)
    expect(total).toBeGreaterThan(0)
    expect(total).toBeLessThanOrEqual(BUDGET_BYTES)
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
