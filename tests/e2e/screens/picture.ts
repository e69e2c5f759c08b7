import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { waitForAnimations } from '../support/accessibility.ts'
import { test, type Fixtures } from '../support/test.ts'
import { PICTURES, pictureName, SCHEMES, WIDTHS } from './picture-files.ts'

const README_IMAGES = resolve(import.meta.dirname, '../../../docs/images')

const HEIGHTS = { 1280: 800, 390: 844, 320: 640 }
const MEDIA = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
} as const

export type Tools = Pick<Fixtures, 'account' | 'signedIn' | 'mailbox'> & {
  page: Page
}

/** A picture of the README: its file, and the width at which it is taken. */
export interface ReadmeImage {
  file: string
  width: 1280 | 390
}

/** Takes the pictures of one state of a screen, in each colour scheme and width. `open` brings the page there. */
export function picture(
  screen: string,
  state: string,
  open: (tools: Tools) => Promise<void>,
  readme: readonly ReadmeImage[] = [],
): void {
  test(`${screen}: ${state}`, async ({ page, account, signedIn, mailbox }) => {
    await open({ page, account, signedIn, mailbox })
    // Removes the hover and the scroll position that `open` may have left.
    await page.mouse.move(0, 0)
    await page.evaluate(() => scrollTo(0, 0))
    for (const scheme of SCHEMES) {
      await page.emulateMedia(MEDIA[scheme])
      for (const width of scheme === 'forced' ? ([390] as const) : WIDTHS) {
        await page.setViewportSize({ width, height: HEIGHTS[width] })
        await waitForAnimations(page)
        const image = readme.find((one) => one.width === width)
        if (scheme === 'light' && image && process.env['GUIDON_README_IMAGES']) {
          await page.screenshot({ path: join(README_IMAGES, image.file) })
        }
        await growToContent(page, width)
        await page.screenshot({
          path: join(PICTURES, pictureName({ screen, state, width, scheme })),
        })
      }
    }
  })
}

/** Makes the window as high as the page. With an open dialog, the window keeps its real height. */
async function growToContent(page: Page, width: keyof typeof HEIGHTS): Promise<void> {
  if ((await page.getByRole('dialog').or(page.getByRole('alertdialog')).count()) > 0) return
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(height, HEIGHTS[width]) })
  await waitForAnimations(page)
}
