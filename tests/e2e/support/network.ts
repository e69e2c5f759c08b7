import type { Page } from '@playwright/test'

/** Limits the bytes a second that the page can send; returns a function that lifts the limit. */
export async function slowDown(page: Page, bytesPerSecond: number): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const limit = async (uploadThroughput: number) => {
    const unlimited = { offline: false, latency: 0, downloadThroughput: -1 }
    await session.send('Network.emulateNetworkConditions', { ...unlimited, uploadThroughput })
  }
  await session.send('Network.enable')
  await limit(bytesPerSecond)
  return () => limit(-1)
}
