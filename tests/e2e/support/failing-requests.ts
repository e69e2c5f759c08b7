import type { Page } from '@playwright/test'

/** Responds to these requests of the page with an error that has no message. */
export const failRequests = (page: Page, url: string | RegExp, status: 500 | 503 = 500) =>
  page.route(url, (route) => route.fulfill({ status, json: { code: 'unexpected' } }))

/** Like `failRequests`, but holds each response until `release` is called. */
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
