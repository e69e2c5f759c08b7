import { allAnswers } from './support/intake-answers.ts'
import {
  answerEverything,
  click,
  continueIntake,
  draftInTab,
  heading,
  next,
  openIntake,
  saved,
  stepMenu,
  storedIntake,
  submit,
} from './support/intake-wizard.ts'
import { openSession, signIn } from './support/session.ts'
import { expect, test } from './support/test.ts'

const home = /\/dashboard\/home$/

test(
  'an intake closed midway resumes at its step in another browser',
  { tag: '@desktop-only' },
  async ({ page, browser, baseURL, signedIn, mailbox }) => {
    const james = await signedIn()
    await openIntake(page)
    await page.getByLabel('City').fill('Reno')
    await next(page).click()
    await page.getByLabel('New Claim Never Filed').check()
    await next(page).click()
    await expect(heading(page, 'Personal Details')).toBeFocused()
    // The answer is entered, and Next is not pressed.
    await page.getByLabel('Female').check()
    await expect(saved(page)).toBeVisible()
    await page.close()

    const otherPage = await browser.newPage({ baseURL: baseURL ?? '' })
    await openSession(otherPage, james, mailbox)
    await continueIntake(otherPage)
    await expect(heading(otherPage, 'Personal Details')).toBeVisible()
    await expect(otherPage.getByLabel('Female')).toBeChecked()
    await otherPage.getByRole('button', { name: 'Back' }).click()
    await expect(otherPage.getByLabel('New Claim Never Filed')).toBeChecked()
    await stepMenu(otherPage)
      .getByRole('button', { name: /^Initial Info/ })
      .click()
    await expect(otherPage.getByLabel('City')).toHaveValue('Reno')
    await otherPage.close()
  },
)

test(
  'a session that ends midway loses no saved answer',
  { tag: '@desktop-only' },
  async ({ page, context, signedIn, mailbox }) => {
    const james = await signedIn()
    await openIntake(page)
    await page.getByLabel('City').fill('Reno')
    await page.getByLabel('Street').fill('12 Elm St')
    await expect(saved(page)).toBeVisible()
    await context.clearCookies()
    await next(page).click()
    await expect(page).toHaveURL(/\/signin$/)
    await signIn(page, james, mailbox)
    await page.getByRole('link', { name: 'Continue' }).click()
    await expect(page.getByLabel('City')).toHaveValue('Reno')
    await expect(page.getByLabel('Street')).toHaveValue('12 Elm St')
  },
)

test(
  'an API that is unreachable during Next and Submit blocks nobody and loses nothing',
  { tag: '@desktop-only' },
  async ({ page, signedIn }) => {
    test.setTimeout(120_000)
    await signedIn()
    await openIntake(page)
    await expect(heading(page, 'More About You')).toBeVisible()
    await page.route('**/salesforce/get-started/me', (route) => route.abort())
    await answerEverything(page, click, async () => {
      await expect(page.getByText(/^Not sent yet: kept in this tab/)).toBeVisible()
      await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
    })
    await submit(page).click()
    await expect(page).toHaveURL(home)
    await expect(page.getByText(/Your intake is kept in this tab/)).toBeVisible()
    expect((await storedIntake(page)).submittedAt).toBeNull()
    expect(await draftInTab(page)).not.toBeNull()

    await page.unroute('**/salesforce/get-started/me')
    await page.reload()
    await expect(page.getByText(/^We received your intake on/)).toBeVisible()
    const { data, submittedAt } = await storedIntake(page)
    expect(data).toEqual(allAnswers)
    expect(submittedAt).not.toBeNull()
    expect(await draftInTab(page)).toBeNull()
  },
)
