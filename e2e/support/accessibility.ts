import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import axe from 'axe-core'
import type { RunOptions } from 'axe-core'

/** The narrowest window that WCAG expects a page to fit. */
export const NARROWEST_WINDOW = { width: 320, height: 640 }

const RULES: RunOptions = {
  runOnly: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  // Saves the time that axe needs to describe the elements of passed rules.
  resultTypes: ['violations'],
}

/** Expects no violation of WCAG 2.2 A and AA, and nothing wider than the window. */
export async function expectAccessible(page: Page): Promise<void> {
  await waitForAnimations(page)
  expect(await findViolations(page)).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
}

/** Waits for fades and slides to end, because axe reads the current colours. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const running = () =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        // A progress bar moves without end.
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    do {
      // A transition starts with the frame after the change.
      await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
      await Promise.allSettled(running().map(({ finished }) => finished))
    } while (running().length > 0)
  })
}

/** Runs axe in the page itself: `@axe-core/playwright` opens a second page for each run. */
async function findViolations(page: Page): Promise<string[]> {
  const loaded = await page.evaluate(() => 'axe' in window)
  if (!loaded) await page.evaluate(axe.source)
  return page.evaluate(async (options) => {
    const { axe: inPage } = window as unknown as { axe: typeof axe }
    const found = await inPage.run(document, options)
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
    )
  }, RULES)
}
