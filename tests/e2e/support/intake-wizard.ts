import { getIntake, saveIntake } from '@guidon/contract/intake'
import type { IntakeAnswers, IntakeStep } from '@guidon/contract/intake'
import { screens } from '@guidon/contract/screens'
import type { Locator, Page } from '@playwright/test'
import { allAnswers } from './intake-answers.ts'
import { portalHeaders, openHome } from './session.ts'
import { expect } from './test.ts'

/** The title of each step, and its heading. */
export const STEPS = [
  ['Initial Info', 'More About You'],
  ['Goal', 'Your Goal With Us'],
  ['Personal Details', 'Personal Details'],
  ['Military Info', 'Military Info'],
  ['VA Info', 'VA Info'],
  ['Financial Info', 'Financial Info'],
  ['Demographic Info', 'Demographic Info'],
  ['Preview', 'Review Your Information'],
] as const

/** Clicks with the mouse, or taps. */
export type Press = (target: Locator) => Promise<void>
export const click: Press = (target) => target.click()
export const tap: Press = (target) => target.tap()

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })
export const next = (page: Page) => page.getByRole('button', { name: 'Next' })
export const submit = (page: Page) => page.getByRole('button', { name: 'Submit' })
export const saved = (page: Page) => page.getByText(/^Saved \d+:\d\d [AP]M$/)
export const stepMenu = (page: Page) => page.getByRole('navigation', { name: 'Steps' })
/** The copy of the answers that the browser tab keeps until they are sent. */
export const draftInTab = (page: Page) =>
  page.evaluate(() => sessionStorage.getItem('guidon.intake.form'))
const choice = (page: Page, question: string, name: string) =>
  page.getByRole('group', { name: question }).getByLabel(name, { exact: true })

/** Opens the intake at its stored step. The page must be signed in. */
export const openIntake = (page: Page) => page.goto(screens.getStarted)

/** Opens the intake at this step with these answers, as if the veteran had left it there. */
export async function openIntakeAt(
  page: Page,
  step: IntakeStep,
  answers: IntakeAnswers = {},
): Promise<void> {
  const data = { ...answers, step }
  const response = await page.request.patch(saveIntake.path, { data, ...portalHeaders() })
  expect(response.ok(), await response.text()).toBe(true)
  await openIntake(page)
}

/** Opens the intake from its card on the dashboard. */
export async function continueIntake(page: Page): Promise<void> {
  await openHome(page)
  await page.getByRole('link', { name: /^(Start|Continue)$/ }).click()
  await expect(page).toHaveURL(/\/get-started$/)
}

/** Returns the intake that the server has stored. */
export async function storedIntake(page: Page) {
  const response = await page.request.get(getIntake.path)
  expect(response.status()).toBe(200)
  return (await response.json()) as {
    data: Record<string, unknown>
    step: string
    submittedAt: string | null
  }
}

export const datePart = (page: Page, name: 'Month' | 'Day' | 'Year') =>
  page.getByRole('group', { name: 'Date of birth' }).getByRole('textbox', { name, exact: true })

/** Returns the values of the three parts. */
export const dateParts = (page: Page) =>
  page
    .getByRole('group', { name: 'Date of birth' })
    .getByRole('textbox')
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))

/** Types a date such as `03/27/1968`; a part that is left out stays empty. */
export async function typeDate(page: Page, text: string, press: Press = click): Promise<void> {
  const texts = text.split('/')
  for (const [index, name] of (['Month', 'Day', 'Year'] as const).entries()) {
    await press(datePart(page, name))
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Delete')
    await page.keyboard.type(texts[index] ?? '')
  }
}

export async function openCalendar(page: Page, press: Press): Promise<Locator> {
  await press(page.getByRole('button', { name: 'Calendar' }))
  const calendar = page.getByRole('dialog', { name: 'Choose your date of birth' })
  await expect(calendar).toBeVisible()
  return calendar
}

/** Picks March 27, 1968 by year, month, day. */
export async function pickDate(page: Page, press: Press): Promise<void> {
  const calendar = await openCalendar(page, press)
  await press(calendar.getByRole('radio', { name: '1968' }))
  await press(calendar.getByRole('radio', { name: /^Mar/ }))
  await press(calendar.getByRole('gridcell', { name: '27', exact: true }))
  await expect(calendar).toBeHidden()
}

/** Answers every question of one step with `allAnswers`: types text, presses everything else. */
const answerStep: Readonly<Record<string, (page: Page, press: Press) => Promise<void>>> = {
  'Initial Info': async (page, press) => {
    await page.getByLabel('Street').fill(allAnswers.street)
    await page.getByLabel('City').fill(allAnswers.city)
    await page.getByLabel('State').selectOption('Nevada')
    await page.getByLabel('ZIP code').fill(allAnswers.zip)
    await press(choice(page, 'Preferred contact time', allAnswers.ToC))
  },
  Goal: (page, press) => press(choice(page, 'Claim type', allAnswers.claimType)),
  'Personal Details': async (page, press) => {
    await press(choice(page, 'Gender', allAnswers.gender))
    await press(choice(page, 'Dominant arm', allAnswers.dominantArm))
    await pickDate(page, press)
  },
  'Military Info': async (page, press) => {
    await page.getByLabel('Branch').selectOption(allAnswers.branch)
    for (const country of [
      'Afghanistan',
      'Djibouti',
      'Gulf War',
      'Syria',
      'Uzbekistan',
      'Vietnam',
    ]) {
      await press(page.getByLabel(country))
    }
    await press(choice(page, 'Are you retired?', 'Yes'))
    await press(choice(page, 'Did you serve in combat after 9/11?', 'No'))
  },
  'VA Info': async (page, press) => {
    await page.getByLabel('Disability rating').selectOption(allAnswers.disabilityRating)
    await press(choice(page, 'Active claim pending', 'Yes'))
    await press(choice(page, 'Active appeal pending', 'No'))
  },
  'Financial Info': async (page) => {
    await page.getByLabel('VA disability pay').fill('$1,716.28')
    await page.getByLabel('Dependents').fill('10')
  },
  'Demographic Info': async (page, press) => {
    await press(choice(page, 'Ethnicity', allAnswers.ethnicity))
    await press(choice(page, 'Race', allAnswers.race))
  },
}

export async function answerEverything(
  page: Page,
  press: Press,
  check: (index: number) => Promise<void>,
): Promise<void> {
  for (const [index, [title, name]] of STEPS.entries()) {
    await expect(heading(page, name)).toBeVisible()
    if (index > 0) await expect(heading(page, name)).toBeFocused()
    await expect(page).toHaveTitle(`Step ${index + 1} of 8: ${title} – Guidon`)
    await answerStep[title]?.(page, press)
    await check(index)
    if (title !== 'Preview') await press(next(page))
  }
}
