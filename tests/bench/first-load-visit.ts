import { chromium } from '@playwright/test'
import lighthouse, { type Result } from 'lighthouse'

const DEBUGGING_PORT = 9333

export interface Visit {
  score: number
  blockedMs: number
  largestPaintMs: number
  layoutShift: number
  /** Of all files, as sent. */
  kilobytes: number
  scriptKilobytes: number
}

/** Loads a page with the mobile preset of Lighthouse, in a new browser. */
export async function visit(url: string, cookie?: string): Promise<Visit> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell',
    args: [
      `--remote-debugging-port=${DEBUGGING_PORT}`,
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
    ],
  })
  try {
    const run = await lighthouse(url, {
      port: DEBUGGING_PORT,
      onlyCategories: ['performance'],
      logLevel: 'error',
      ...(cookie !== undefined && { extraHeaders: { Cookie: cookie } }),
    })
    if (!run) throw new Error(`Lighthouse returned nothing for ${url}`)
    return figuresOf(run.lhr, url)
  } finally {
    await browser.close()
  }
}

function figuresOf(result: Result, url: string): Visit {
  if (result.runtimeError) throw new Error(`${url}: ${result.runtimeError.message}`)
  if (result.finalDisplayedUrl !== url) throw new Error(`${url} led to ${result.finalDisplayedUrl}`)
  const value = (audit: string) => result.audits[audit]?.numericValue ?? Number.NaN
  const { items } = result.audits['network-requests']!.details as unknown as {
    items: { resourceType: string; transferSize: number }[]
  }
  const kilobytesOf = (type?: string) =>
    items
      .filter((item) => type === undefined || item.resourceType === type)
      .reduce((sum, item) => sum + item.transferSize, 0) / 1000
  return {
    score: 100 * (result.categories['performance']!.score ?? 0),
    blockedMs: value('total-blocking-time'),
    largestPaintMs: value('largest-contentful-paint'),
    layoutShift: value('cumulative-layout-shift'),
    kilobytes: kilobytesOf(),
    scriptKilobytes: kilobytesOf('Script'),
  }
}
