import type { Page } from '@playwright/test'

/** Lets the server fail without a message for these requests of the page. */
export const failRequests = (page: Page, url: string, status: 500 | 503 = 500) =>
  page.route(url, (route) => route.fulfill({ status, json: { code: 'unexpected' } }))

/** The same, but each response is held until `release` is called. */
export async function holdAndFailRequests(
  page: Page,
  url: string,
  status: 500 | 503 = 503,
): Promise<{ release(): void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await released
    // A request that the page cancelled in the meantime has no response.
    await route.fulfill({ status, json: { code: 'unexpected' } }).catch(() => {})
  })
  return { release }
}
