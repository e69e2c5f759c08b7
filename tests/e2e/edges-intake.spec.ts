import type { IntakeAnswers } from '@guidon/contract/intake'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { allAnswers } from './support/intake-answers.ts'
import {
  click,
  heading,
  next,
  openCalendar,
  openIntake,
  openIntakeAt,
  saved,
  STEPS,
  stepMenu,
  storedIntake,
  submit,
  tap,
} from './support/intake-wizard.ts'
import { openSession } from './support/session.ts'
import { expect, test } from './support/test.ts'

const UNSENT = 'Not sent yet: kept in this tab until you are connected'
const stored = async (page: Page, name: string) => (await storedIntake(page)).data[name]

/** Opens the menu of steps, which is a drawer on a phone. */
async function openMenu(page: Page, isMobile: boolean) {
  if (isMobile) await page.getByRole('button', { name: 'All steps' }).tap()
  return stepMenu(page)
}

test(
  'the wizard shows what was answered and skipped, and that every question is optional',
  { tag: '@phone' },
  async ({ page, isMobile, signedIn }) => {
    await signedIn()
    const { claimType } = allAnswers as IntakeAnswers
    await openIntakeAt(page, 'personalDetails', { city: 'Reno', claimType })
    await expect(heading(page, 'Personal Details')).toBeVisible()
    await expect(page.getByText(/^Skip anything you do not know\./)).toBeVisible()
    await next(page).click()
    await expect(heading(page, 'Military Info')).toBeFocused()
    const menu = await openMenu(page, isMobile)
    await expect(menu.getByRole('button', { name: /^Initial Info/ })).toHaveText(/2 of 5$/)
    await expect(menu.getByRole('button', { name: /^Goal/ })).toHaveText(/\(done\)$/)
    await expect(menu.getByRole('button', { name: /^Personal Details/ })).toHaveText(/Skipped$/)
    await expectAccessible(page)
  },
)

test(
  'the Preview counts the answers, and a step opened from the Preview returns to it',
  { tag: '@phone' },
  async ({ page, isMobile, signedIn }) => {
    await signedIn()
    const { race: _, ...answers } = allAnswers
    await openIntakeAt(page, 'preview', answers as IntakeAnswers)
    await expect(page.getByText('You answered 19 of 20 questions.')).toBeVisible()
    const menu = await openMenu(page, isMobile)
    await menu.getByRole('button', { name: /^Goal/ }).click()
    await expect(heading(page, 'Your Goal With Us')).toBeFocused()
    await page.getByRole('button', { name: 'Return to Preview' }).click()
    await expect(heading(page, 'Review Your Information')).toBeFocused()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Add answers' }).click()
    await expect(heading(page, 'Demographic Info')).toBeFocused()
    await page.getByRole('group', { name: 'Race' }).getByLabel('White').check()
    await next(page).click()
    await expect(page.getByText('You answered all 20 questions.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add answers' })).toHaveCount(0)
  },
)

/** Whether the code of all later screens was fetched. */
const isFetchedAhead = (page: Page) =>
  page.evaluate(() => {
    const { all } = JSON.parse(document.getElementById('later-files')!.textContent) as {
      all: string[]
    }
    return all.every(
      (file) => performance.getEntriesByName(new URL(`/${file}`, location.href).href).length > 0,
    )
  })

test(
  'every step of the wizard works without a connection, and the answers are saved afterwards',
  { tag: '@phone' },
  async ({ page, context, signedIn }) => {
    await signedIn()
    await openIntake(page)
    await expect(heading(page, 'More About You')).toBeVisible()
    await expect.poll(() => isFetchedAhead(page)).toBe(true)
    await context.setOffline(true)
    await page.getByLabel('City').fill('Reno')
    for (const [index, [title, name]] of STEPS.slice(0, -1).entries()) {
      if (index > 0) await expect(heading(page, name)).toBeFocused()
      if (title === 'Goal') await page.getByLabel('New Claim Never Filed').check()
      if (title === 'Personal Details') {
        const calendar = await openCalendar(page, click)
        await calendar.getByRole('button', { name: 'Cancel' }).click()
      }
      await next(page).click()
    }
    await expect(heading(page, 'Review Your Information')).toBeFocused()
    await expect(page.getByText(UNSENT)).toBeVisible()
    await expect(submit(page)).toBeVisible()
    await expectAccessible(page)

    await context.setOffline(false)
    await expect(saved(page)).toBeVisible()
    expect(await storedIntake(page)).toMatchObject({
      data: { city: 'Reno', claimType: 'New Claim Never Filed' },
      step: 'preview',
    })
  },
)

test('the wizard keeps errors red, breaks an email only at the @, and has large targets', async ({
  page,
  isMobile,
  signedIn,
}) => {
  const { email } = await signedIn()
  await openIntakeAt(page, 'financialInfo')
  const dependents = page.getByLabel('Dependents')
  await dependents.fill('11')
  await next(page).click()
  await expect(dependents).toBeFocused()
  await page.getByLabel('VA disability pay').focus()
  const borderColour = () =>
    dependents.evaluate(
      (input) => getComputedStyle(input.closest('[data-part=input]')!, '::after').borderTopColor,
    )
  await expect(dependents).toHaveAttribute('aria-invalid', 'true')
  const colour = await borderColour()
  await dependents.hover()
  expect(await borderColour()).toBe(colour)

  const lines = await page.getByText(email).evaluate((element) =>
    [...element.childNodes].map((part) => {
      const range = document.createRange()
      range.selectNodeContents(part)
      return range.getClientRects().length
    }),
  )
  // Neither the part before nor the part after the @ is broken into several lines.
  expect(Math.max(...lines)).toBe(1)

  const heightOf = async (target: Locator) => (await target.boundingBox())?.height
  expect(await heightOf(page.getByRole('link', { name: 'Finish later' }))).toBeGreaterThanOrEqual(
    44,
  )
  await dependents.fill('')
  await openIntakeAt(page, 'personalDetails')
  await page.reload()
  const calendar = await openCalendar(page, isMobile ? tap : click)
  const year = calendar.getByRole('radio', { name: '1968' })
  expect(await heightOf(year)).toBeGreaterThanOrEqual(44)
})

test(
  'an answer typed just before the tab closes is saved',
  { tag: '@desktop-only' },
  async ({ page, context, signedIn }) => {
    await signedIn()
    await openIntake(page)
    await expect(saved(page)).toBeVisible()
    const other = await context.newPage()
    await page.getByLabel('City').fill('Reno')
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => stored(other, 'city')).toBe('Reno')
  },
)

test(
  'a tab with answers that could not be saved asks before it closes',
  { tag: '@desktop-only' },
  async ({ page, context, signedIn }) => {
    await signedIn()
    await openIntake(page)
    await expect(saved(page)).toBeVisible()
    await context.setOffline(true)
    await page.getByLabel('City').click()
    await page.keyboard.type('Reno')
    await expect(page.getByText(UNSENT)).toBeVisible()
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await context.setOffline(false)
    await expect(saved(page)).toBeVisible()
    expect(await stored(page, 'city')).toBe('Reno')
  },
)

test(
  'an answer typed just before Back to another screen or Log out is saved',
  { tag: '@desktop-only' },
  async ({ page, signedIn, mailbox }) => {
    const james = await signedIn()
    await page.goto('/dashboard/settings')
    await openIntake(page)
    await expect(saved(page)).toBeVisible()
    await page.getByLabel('City').fill('Reno')
    await page.goBack()
    await expect(page).toHaveURL(/settings$/)
    await expect.poll(() => stored(page, 'city')).toBe('Reno')

    await openIntake(page)
    await page.getByLabel('Street').fill('12 Elm St')
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page).toHaveURL(/signin$/)
    await openSession(page, james, mailbox)
    expect(await stored(page, 'street')).toBe('12 Elm St')
  },
)

test(
  'the next save reports to the server how many saves failed, and why',
  { tag: '@desktop-only' },
  async ({ page, context, signedIn }) => {
    await signedIn()
    await openIntake(page)
    await expect(saved(page)).toBeVisible()
    await context.setOffline(true)
    await page.getByLabel('City').fill('Winnemucca')
    await expect(page.getByText(UNSENT)).toBeVisible()
    const report = page.waitForRequest(
      (request) => request.postData()?.includes('failures') ?? false,
    )
    await context.setOffline(false)
    expect((await report).postDataJSON()).toMatchObject({ failures: { no_network: 1 } })
    await expect(saved(page)).toBeVisible()
  },
)

test(
  'the printed intake carries the name of the veteran',
  { tag: '@desktop-only' },
  async ({ page, signedIn }) => {
    await signedIn()
    await openIntakeAt(page, 'preview', allAnswers as IntakeAnswers)
    await expect(heading(page, 'Review Your Information')).toBeVisible()
    const name = page.getByText('James Whitfield')
    await expect(name).toBeHidden()
    await page.emulateMedia({ media: 'print' })
    await expect(name).toBeVisible()
    for (const button of ['Print', 'Submit', 'Change Goal']) {
      await expect(page.getByRole('button', { name: button })).toBeHidden()
    }
  },
)
