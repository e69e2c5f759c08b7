import type { Page } from '@playwright/test'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import {
  click,
  dateParts,
  datePart,
  heading,
  next,
  openCalendar,
  openIntakeAt,
  pickDate,
  saved,
  storedIntake,
  tap,
  typeDate,
} from './support/intake-wizard.ts'
import { expect, test } from './support/test.ts'

const NOT_SAVED = 'Not saved yet: fix the answer in red'
const noYear = (page: Page) => page.getByText('Date of birth must include a year')
const storedDate = async (page: Page) => (await storedIntake(page)).data['dateOfBirth']

/** Records every date that the page sends, in order. */
function sentDates(page: Page): unknown[] {
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.method() !== 'PATCH') return
    const body = request.postDataJSON() as Record<string, unknown>
    if ('dateOfBirth' in body) sent.push(body['dateOfBirth'])
  })
  return sent
}

test.describe.configure({ timeout: 120_000 })

test.beforeEach(async ({ page, signedIn }) => {
  await signedIn()
  await openIntakeAt(page, 'personalDetails')
  await expect(heading(page, 'Personal Details')).toBeVisible()
})

test(
  'an incomplete date is refused, and keeps its digits when the veteran returns to it',
  { tag: '@phone' },
  async ({ page, isMobile }) => {
    const press = isMobile ? tap : click
    const sent = sentDates(page)
    await typeDate(page, '03/27/', press)
    await press(next(page))
    await expect(noYear(page)).toBeVisible()
    await expect(datePart(page, 'Year')).toBeFocused()
    await expect(datePart(page, 'Year')).toHaveAttribute('aria-invalid', 'true')
    await expect(datePart(page, 'Month')).toHaveAttribute('aria-invalid', 'false')
    await expect(page.getByText(NOT_SAVED)).toBeVisible()
    await expect(page).toHaveTitle('Error: Step 3 of 8: Personal Details – Guidon')
    await expectAccessible(page)

    await page.reload()
    await expect(noYear(page)).toBeVisible()
    expect(await dateParts(page)).toEqual(['03', '27', ''])
    await press(page.getByRole('button', { name: 'Back' }))
    await expect(heading(page, 'Your Goal With Us')).toBeFocused()
    await expect(page.getByText(NOT_SAVED)).toBeVisible()
    await page.goBack()
    await expect(noYear(page)).toBeVisible()
    expect(await dateParts(page)).toEqual(['03', '27', ''])
    expect(await storedDate(page)).toBeUndefined()

    await press(datePart(page, 'Year'))
    await page.keyboard.type('1')
    expect(await dateParts(page)).toEqual(['03', '27', '1'])
    await page.keyboard.type('968')
    await expect(noYear(page)).toBeHidden()
    await press(next(page))
    await expect(heading(page, 'Military Info')).toBeFocused()
    await expect(saved(page)).toBeVisible()
    expect(await storedDate(page)).toBe('1968-03-27')
    expect(sent).toEqual(['1968-03-27'])
  },
)

test('a press on Next takes effect even when the message above it appears or disappears', async ({
  page,
  isMobile,
}) => {
  const press = isMobile ? tap : click
  await typeDate(page, '03/27/', press)
  await press(next(page))
  await expect(datePart(page, 'Year')).toBeFocused()
  await page.keyboard.type('68')
  await press(next(page))
  await expect(heading(page, 'Military Info')).toBeFocused()
  await expect.poll(() => storedDate(page)).toBe('1968-03-27')
})

test('the calendar enters only a complete date', { tag: '@phone' }, async ({ page, isMobile }) => {
  const press = isMobile ? tap : click
  const sent = sentDates(page)
  const calendar = await openCalendar(page, press)
  await expectAccessible(page)
  await press(calendar.getByRole('radio', { name: '1968' }))
  await expect(calendar.getByText('Now choose the month.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(calendar).toBeHidden()
  expect(await dateParts(page)).toEqual(['', '', ''])

  await openCalendar(page, press)
  await press(calendar.getByRole('radio', { name: '1968' }))
  await press(calendar.getByRole('radio', { name: /^Mar/ }))
  await expect(calendar.getByRole('gridcell', { selected: true })).toHaveCount(0)
  await expectAccessible(page)
  await press(calendar.getByRole('button', { name: 'Cancel' }))
  await expect(calendar).toBeHidden()
  expect(await dateParts(page)).toEqual(['', '', ''])
  expect(sent).toEqual([])

  await pickDate(page, press)
  expect(await dateParts(page)).toEqual(['03', '27', '1968'])
  await expect(page.getByRole('button', { name: 'Calendar' })).toBeFocused()
  await press(next(page))
  await expect(heading(page, 'Military Info')).toBeFocused()
  await expect(saved(page)).toBeVisible()
  expect(await storedDate(page)).toBe('1968-03-27')
  expect(sent).toEqual(['1968-03-27'])
})

test(
  'by keyboard alone: a short year is completed or refused, and the calendar works',
  { tag: '@desktop-only' },
  async ({ page }) => {
    const { keyboard } = page
    await datePart(page, 'Month').focus()
    await keyboard.type('3')
    await keyboard.press('Tab')
    await keyboard.type('27')
    await keyboard.press('Tab')
    await keyboard.type('68')
    await keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Calendar' })).toBeFocused()
    expect(await dateParts(page)).toEqual(['3', '27', '1968'])

    await keyboard.press('Shift+Tab')
    await keyboard.type('25')
    await keyboard.press('Enter')
    const fourDigits = page.getByText('Year must have four digits, such as 1968')
    await expect(fourDigits).toBeVisible()
    await expect(datePart(page, 'Year')).toBeFocused()
    expect(await dateParts(page)).toEqual(['3', '27', '25'])
    expect(await storedDate(page)).toBe('1968-03-27')

    await keyboard.press('Tab')
    await expect(fourDigits).toBeVisible()
    await keyboard.press('Enter')
    const calendar = page.getByRole('dialog', { name: 'Choose your date of birth' })
    await expect(calendar.getByRole('radio', { name: '1970' })).toBeFocused()
    await keyboard.press('ArrowRight')
    await keyboard.press('Enter')
    await expect(calendar.getByRole('radio', { name: /^Jan/ })).toBeFocused()
    await keyboard.press('Enter')
    const first = calendar.getByRole('gridcell', { name: '1', exact: true })
    await expect(first).toBeFocused()
    await keyboard.press('Enter')
    await expect(calendar).toBeHidden()
    await expect(page.getByRole('button', { name: 'Calendar' })).toBeFocused()
    expect(await dateParts(page)).toEqual(['01', '01', '1969'])
    await expect(fourDigits).toBeHidden()
    await datePart(page, 'Day').focus()
    await keyboard.press('Enter')
    await expect(heading(page, 'Military Info')).toBeFocused()
    await expect.poll(() => storedDate(page)).toBe('1969-01-01')
  },
)

test(
  'every part accepts the whole date: pasted, filled in by the browser, or typed',
  { tag: '@desktop-only' },
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    for (const name of ['Month', 'Day', 'Year'] as const) {
      for (const text of ['03/27/1968', '1968-03-27', '03271968']) {
        await typeDate(page, '//')
        await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
        await datePart(page, name).focus()
        await page.keyboard.press('ControlOrMeta+v')
        expect(await dateParts(page)).toEqual(['03', '27', '1968'])
        await typeDate(page, '//')
        await datePart(page, name).fill(text)
        expect(await dateParts(page)).toEqual(['03', '27', '1968'])
      }
    }
    await typeDate(page, '//')
    await datePart(page, 'Month').focus()
    await page.keyboard.type('3/27/1968')
    expect(await dateParts(page)).toEqual(['3', '27', '1968'])
    for (const [name, purpose] of [
      ['Month', 'bday-month'],
      ['Day', 'bday-day'],
      ['Year', 'bday-year'],
    ] as const) {
      await expect(datePart(page, name)).toHaveAttribute('autocomplete', purpose)
      await expect(datePart(page, name)).toHaveAttribute('inputmode', 'numeric')
    }
  },
)

test(
  'the date fits a narrow screen, large text and forced colours',
  { tag: '@desktop-only' },
  async ({ page }) => {
    await typeDate(page, '02/30/1968')
    await next(page).click()
    await expect(page.getByText('Day must be a number from 1 to 29 in February')).toBeVisible()
    await expect(datePart(page, 'Day')).toBeFocused()
    await page.setViewportSize(NARROWEST_WINDOW)
    await expectAccessible(page)
    for (const name of ['Month', 'Day', 'Year'] as const) {
      const box = await datePart(page, name).boundingBox()
      expect(Math.min(box!.width, box!.height)).toBeGreaterThanOrEqual(44)
    }
    const calendar = await openCalendar(page, click)
    await expectAccessible(page)
    await calendar.getByRole('button', { name: 'Cancel' }).click()
    await page.emulateMedia({ forcedColors: 'active' })
    await expectAccessible(page)
    await page.emulateMedia({ forcedColors: 'none' })
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    await expectAccessible(page)
    for (const name of ['Month', 'Day', 'Year'] as const) {
      const fits = await datePart(page, name).evaluate(
        (input) => input.scrollWidth <= input.clientWidth,
      )
      expect(fits).toBe(true)
    }
  },
)

test(
  'a calendar that cannot be loaded shows a message, and the date can be typed',
  { tag: '@desktop-only' },
  async ({ page }) => {
    await page.route('**/assets/DateOfBirthCalendar-*.js', (route) => route.abort())
    await page.reload()
    await page.getByRole('button', { name: 'Calendar' }).click()
    await expect(page.getByText('The calendar could not be loaded.')).toBeVisible()
    await typeDate(page, '03/27/1968')
    await next(page).click()
    await expect(heading(page, 'Military Info')).toBeFocused()
  },
)
