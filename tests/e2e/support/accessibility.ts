import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import type { CDPSession, Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'

/** The minified code, because the browser reads it again in each page. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

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

/** The smallest size of something to press, in CSS pixels. */
const SMALLEST_TARGET = 44

/**
 * Expects no violation of WCAG 2.2 A and AA, nothing wider than the window, on phones also with text
 * of twice the size, and nothing to press that is smaller than a fingertip.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await waitForAnimations(page)
  expect(await findViolations(page)).toEqual([])
  expect(await overflowOf(page)).toBeLessThanOrEqual(0)
  // Again: a menu that opens late is smaller while it grows.
  await waitForAnimations(page)
  expect(await page.evaluate(findSmallTargets, SMALLEST_TARGET), 'targets under 44 px').toEqual([])
  if (page.viewportSize()?.width === PHONE_WIDTH)
    expect(await overflowWithLargeText(page), 'scrolls sideways at 200 %').toBeLessThanOrEqual(0)
}

const PHONE_WIDTH = 390

/** How far the page scrolls sideways, in pixels. */
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Never closed: closing a session while the page is offline puts the page online. */
const sessions = new WeakMap<Page, CDPSession>()

/** How far the page scrolls sideways with twice the size of text in the settings of the browser. */
async function overflowWithLargeText(page: Page): Promise<number> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  const setSize = (standard: number) =>
    session.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } })
  await setSize(32)
  const overflow = await overflowOf(page)
  await setSize(16)
  return overflow
}

/** Lists what can be pressed and is smaller than `smallest`, except links inside a sentence. Runs in the page. */
function findSmallTargets(smallest: number): string[] {
  const pressable =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, ' +
    '[role=button], [role=menuitem], [role=option], [role=radio], [role=gridcell][tabindex]'
  const inSentence = (element: Element) =>
    getComputedStyle(element).display.startsWith('inline') &&
    element.parentElement?.innerText.trim() !== (element as HTMLElement).innerText.trim()
  /** A field is pressed anywhere in its frame, a box or a radio also on its label. */
  const areasOf = (element: Element): Element[] => [
    element.closest('[data-part=input]') ?? element,
    ...(element instanceof HTMLInputElement && /checkbox|radio/.test(element.type)
      ? (element.labels ?? [])
      : []),
  ]
  return [...document.querySelectorAll(pressable)]
    .filter((element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
    )
    .filter((element) => !element.closest('[aria-hidden=true], [inert]') && !inSentence(element))
    .flatMap((element) => {
      const boxes = areasOf(element).map((area) => area.getBoundingClientRect())
      const fits = boxes.some(
        // Sizes are rounded, so half a pixel less is fine. A day of the calendar may have 40 px, because seven
        // must fit into 320 px.
        ({ width, height }) =>
          Math.min(width, height) >= (element.matches('[role=gridcell]') ? 40 : smallest) - 0.5,
      )
      const [{ width, height } = new DOMRect()] = boxes
      // An input of 1 px is hidden: its own button or drawing is pressed instead.
      if (fits || Math.max(width, height) <= 1) return []
      const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 30)
      const size = `${Math.round(width)}×${Math.round(height)}`
      return [`${element.tagName.toLowerCase()} "${name || element.id}" ${size}`]
    })
}

/** Waits for fades and slides to end, because axe reads the current colours. */
export async function waitForAnimations(page: Page): Promise<void> {
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
  if (!loaded) await page.evaluate(AXE)
  return page.evaluate(async (options) => {
    const { axe: inPage } = window as unknown as { axe: typeof axe }
    const found = await inPage.run(document, options)
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
    )
  }, RULES)
}
