import type { MailboxClient } from '@guidon/sandbox/mailbox/client'
import type { Locator, Page } from '@playwright/test'
import type { Account } from './account.ts'
import { maximal } from './intake-answers.ts'
import { enterCode, enterPassword, expect } from './test.ts'

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

/** A click of the mouse, or a tap. */
export type Press = (target: Locator) => Promise<void>
export const click: Press = (target) => target.click()
export const tap: Press = (target) => target.tap()

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })
export const next = (page: Page) => page.getByRole('button', { name: 'Next' })
export const submit = (page: Page) => page.getByRole('button', { name: 'Submit' })
export const saved = (page: Page) => page.getByText(/^Saved \d+:\d\d [AP]M$/)
const choice = (page: Page, question: string, name: string) =>
  page.getByRole('group', { name: question }).getByLabel(name, { exact: true })

/** Signs in, however often before, and goes on with the intake from the card on the dashboard. */
export async function openIntake(page: Page, account: Account, mailbox: MailboxClient) {
  const [last] = await mailbox.mailsTo(account.email, { waitMs: 0 })
  await enterPassword(page, account)
  await enterCode(page, await mailbox.codeFor(account.email, { after: last?.id ?? '' }))
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/get-started$/)
}

/** What the server has. */
export async function storedIntake(page: Page) {
  const answer = await page.request.get('/salesforce/get-started/me')
  expect(answer.status()).toBe(200)
  return (await answer.json()) as {
    data: Record<string, unknown>
    step: string
    submittedAt: string | null
  }
}

export const datePart = (page: Page, name: 'Month' | 'Day' | 'Year') =>
  page.getByRole('group', { name: 'Date of birth' }).getByRole('textbox', { name, exact: true })

/** What stands in the three parts. */
export const dateParts = (page: Page) =>
  page
    .getByRole('group', { name: 'Date of birth' })
    .getByRole('textbox')
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))

/** `03/27/1968`; a part that is left out stays empty. */
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

/** Picked by year, month, day. */
export async function pickDate(page: Page, press: Press): Promise<void> {
  const calendar = await openCalendar(page, press)
  await press(calendar.getByRole('radio', { name: '1968' }))
  await press(calendar.getByRole('radio', { name: /^Mar/ }))
  await press(calendar.getByRole('gridcell', { name: '27', exact: true }))
  await expect(calendar).toBeHidden()
}

/** One step of the maximal answers; what is typed is typed, the rest is pressed. */
export const answer: Readonly<Record<string, (page: Page, press: Press) => Promise<void>>> = {
  'Initial Info': async (page, press) => {
    await page.getByLabel('Street').fill(maximal.street)
    await page.getByLabel('City').fill(maximal.city)
    await page.getByLabel('State').selectOption('Nevada')
    await page.getByLabel('ZIP code').fill(maximal.zip)
    await press(choice(page, 'Preferred contact time', maximal.ToC))
  },
  Goal: (page, press) => press(choice(page, 'Claim type', maximal.claimType)),
  'Personal Details': async (page, press) => {
    await press(choice(page, 'Gender', maximal.gender))
    await press(choice(page, 'Dominant arm', maximal.dominantArm))
    await pickDate(page, press)
  },
  'Military Info': async (page, press) => {
    await page.getByLabel('Branch').selectOption(maximal.branch)
    for (const place of ['Afghanistan', 'Djibouti', 'Gulf War', 'Syria', 'Uzbekistan', 'Vietnam']) {
      await press(page.getByLabel(place))
    }
    await press(choice(page, 'Are you retired?', 'Yes'))
    await press(choice(page, 'Did you serve in combat after 9/11?', 'No'))
  },
  'VA Info': async (page, press) => {
    await page.getByLabel('Disability rating').selectOption(maximal.disabilityRating)
    await press(choice(page, 'Active claim pending', 'Yes'))
    await press(choice(page, 'Active appeal pending', 'No'))
  },
  'Financial Info': async (page) => {
    await page.getByLabel('VA disability pay').fill('$1,716.28')
    await page.getByLabel('Dependents').fill('10')
  },
  'Demographic Info': async (page, press) => {
    await press(choice(page, 'Ethnicity', maximal.ethnicity))
    await press(choice(page, 'Race', maximal.race))
  },
}
