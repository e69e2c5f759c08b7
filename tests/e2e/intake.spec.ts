import type { Page } from '@playwright/test'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import { address } from './support/addresses.ts'
import { contactIdOf } from './support/crm.ts'
import { allAnswers, allAnswersInCrm, allAnswersInPreview } from './support/intake-answers.ts'
import {
  answerEverything,
  click,
  continueIntake,
  datePart,
  draftInTab,
  heading,
  next,
  openIntake,
  stepMenu,
  storedIntake,
  submit,
  tap,
  typeDate,
} from './support/intake-wizard.ts'
import { expect, test } from './support/test.ts'

const home = /\/dashboard\/home$/
const rows = (page: Page) => page.locator('dl > div')

test.describe('the whole wizard', () => {
  test(
    'by mouse: every answer reaches the database and the provider',
    { tag: '@desktop-only' },
    async ({ page, signedIn, mailbox, salesforce }) => {
      test.setTimeout(180_000)
      const james = await signedIn()
      await continueIntake(page)
      await expect(page.getByLabel('State')).toHaveValue('California')
      await answerEverything(page, click, async (index) => {
        await expectAccessible(page)
        await expect(stepMenu(page).getByRole('button')).toHaveCount(index + 1)
      })
      const sections = page.getByRole('heading', { level: 2 })
      await expect(sections).toHaveText([
        'More About You',
        'Your Goal With Us',
        'Personal Information',
        'Military Information',
        'VA & Financial Information',
        'Demographic Information',
      ])
      const lines = await rows(page).allInnerTexts()
      expect(lines.map((line) => line.replace(/\s+/g, ' '))).toEqual(allAnswersInPreview)

      await test.step('Change returns to the Preview, Back goes one step back', async () => {
        await page.getByRole('button', { name: 'Change Goal' }).click()
        await expect(heading(page, 'Your Goal With Us')).toBeFocused()
        await page.getByRole('button', { name: 'Return to Preview' }).click()
        await expect(heading(page, 'Review Your Information')).toBeFocused()
        await page.getByRole('button', { name: 'Back' }).click()
        await expect(heading(page, 'Demographic Info')).toBeFocused()
        await page.goBack()
        await expect(heading(page, 'Review Your Information')).toBeFocused()
      })

      await submit(page).click()
      await expect(page).toHaveURL(home)
      expect(await draftInTab(page)).toBeNull()
      const stored = await storedIntake(page)
      expect(stored.data).toEqual(allAnswers)
      expect(stored.submittedAt).not.toBeNull()

      await test.step('a copy can be printed', async () => {
        await page.getByRole('button', { name: 'Print or save what you sent' }).click()
        await expect(page.getByRole('dialog')).toContainText('1200 Harbor View Road')
        await expectAccessible(page)
        await page.getByRole('button', { name: 'Close' }).click()
      })
      await page.goto('/get-started')
      await expect(page).toHaveURL(home)

      const [mail] = await mailbox.mailsTo(james.email, {
        subject: 'We received your Guidon intake',
      })
      expect(mail?.text).not.toContain(allAnswers.race)
      const Veteran__c = await contactIdOf(james, salesforce)
      const intakes = await salesforce.rows('Intake__c', { Veteran__c })
      expect(intakes).toHaveLength(1)
      expect(intakes[0]).toMatchObject(allAnswersInCrm)
    },
  )

  test('by keyboard alone', { tag: '@desktop-only' }, async ({ page, signedIn }) => {
    test.setTimeout(120_000)
    await signedIn()
    await openIntake(page)
    const { keyboard } = page
    const tabs = async (times: number) => {
      for (let count = 0; count < times; count += 1) await keyboard.press('Tab')
    }
    await page.getByLabel('Street').focus()
    await keyboard.type('12 Elm St')
    await tabs(1)
    await keyboard.type('Reno')
    await keyboard.press('Enter')
    await expect(heading(page, 'Your Goal With Us')).toBeFocused()
    await tabs(1)
    await keyboard.press('Space')
    await keyboard.press('Enter')
    await expect(heading(page, 'Personal Details')).toBeFocused()
    await tabs(1)
    await keyboard.press('ArrowDown')
    await expect(page.getByLabel('Female')).toBeChecked()
    await tabs(1)
    await keyboard.press('Space')
    await expect(page.getByLabel('Right')).toBeChecked()
    await tabs(1)
    await expect(datePart(page, 'Month')).toBeFocused()
    await keyboard.type('03271968')
    await page.getByRole('button', { name: 'Next' }).focus()
    await keyboard.press('Enter')
    for (const name of ['Military Info', 'VA Info', 'Financial Info', 'Demographic Info']) {
      await expect(heading(page, name)).toBeFocused()
      await next(page).focus()
      await keyboard.press('Enter')
    }
    await expect(heading(page, 'Review Your Information')).toBeFocused()
    await submit(page).focus()
    await keyboard.press('Enter')
    await expect(page).toHaveURL(home)
    expect((await storedIntake(page)).data).toMatchObject({
      street: '12 Elm St',
      city: 'Reno',
      state: 'CA',
      claimType: 'New Claim Never Filed',
      gender: 'Female',
      dominantArm: 'Right',
      dateOfBirth: '1968-03-27',
    })
  })

  test(
    'by touch, on a phone and in the narrowest window',
    { tag: '@phone' },
    async ({ page, signedIn }) => {
      test.setTimeout(180_000)
      await signedIn()
      await continueIntake(page)
      const size = page.viewportSize()!
      await answerEverything(page, tap, async () => {
        await expectAccessible(page)
        await page.setViewportSize(NARROWEST_WINDOW)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(
          NARROWEST_WINDOW.width,
        )
        await page.setViewportSize(size)
      })
      const drawer = page.getByRole('dialog', { name: 'All steps' })
      await page.getByRole('button', { name: 'All steps' }).tap()
      await expect(drawer).toBeVisible()
      await expectAccessible(page)
      await drawer.getByRole('button', { name: /^Goal/ }).tap()
      await expect(heading(page, 'Your Goal With Us')).toBeFocused()
      await expect(drawer).toBeHidden()
      await page.getByRole('button', { name: 'All steps' }).tap()
      await expect(drawer.getByRole('button', { name: /Goal|Initial Info|Close/ })).toHaveCount(3)
      await expect(drawer.getByRole('button')).toHaveCount(3)
      await drawer.getByRole('button', { name: 'Close' }).tap()
      await page.getByRole('button', { name: 'Return to Preview' }).tap()
      await submit(page).tap()
      await expect(page).toHaveURL(home)
      expect((await storedIntake(page)).data).toEqual(allAnswers)
    },
  )
})

test(
  'what is left open is empty at the provider, and the address is in Settings at once',
  { tag: '@desktop-only' },
  async ({ page, signedIn, salesforce }) => {
    test.setTimeout(120_000)
    const james = await signedIn()
    await openIntake(page)
    await page.getByLabel('Street').fill('12 Elm St')
    await page.getByLabel('City').fill('Reno')
    for (const name of ['Your Goal With Us', 'Personal Details', 'Military Info']) {
      await next(page).click()
      await expect(heading(page, name)).toBeFocused()
    }
    const vietnam = page.getByRole('checkbox', { name: 'Vietnam' })
    await vietnam.check()
    await vietnam.uncheck()
    const retired = page.getByRole('group', { name: 'Are you retired?' })
    await retired.getByLabel('No', { exact: true }).check()
    for (const name of ['VA Info', 'Financial Info', 'Demographic Info']) {
      await next(page).click()
      await expect(heading(page, name)).toBeFocused()
    }
    await next(page).click()
    await expect(rows(page).filter({ hasText: 'Deployments' })).toHaveText('DeploymentsN/A')
    await expect(rows(page).filter({ hasText: 'Retired' })).toHaveText('RetiredNo')
    await submit(page).click()
    await expect(page).toHaveURL(home)

    await page.getByRole('link', { name: 'Settings' }).click()
    await expect(rows(page).filter({ hasText: 'Street' })).toHaveText('Street12 Elm St')
    await expect(rows(page).filter({ hasText: 'Zip' })).toHaveText('ZipN/A')
    await expectAccessible(page)

    const Veteran__c = await contactIdOf(james, salesforce)
    const [intake] = await salesforce.rows('Intake__c', { Veteran__c })
    const answered = Object.entries(intake!).filter(
      ([name, value]) => value !== null && /^(?!Veteran|Portal|Submitted).*__c$/.test(name),
    )
    expect(Object.fromEntries(answered)).toEqual({
      Street__c: '12 Elm St',
      City__c: 'Reno',
      State__c: 'CA',
      Retired__c: 'No',
    })
    await page.goto(`${address('GUIDON_SALESFORCE')}/contacts/${Veteran__c}`)
    await expect(page.getByRole('row', { name: /^Deployments/ })).toHaveText(/^\s*Deployments\s*$/)
    await expect(page.getByRole('row', { name: /^Retired/ })).toHaveText(/^\s*Retired\s*No\s*$/)
    const said = { MailingStreet: '12 Elm St', MailingCity: 'Reno', MailingState: 'California' }
    expect(await salesforce.rows('Contact', { Id: Veteran__c, ...said })).toHaveLength(1)
  },
)

test('invalid answers show messages', { tag: '@desktop-only' }, async ({ page, signedIn }) => {
  await signedIn()
  await openIntake(page)
  await page.getByLabel('ZIP code').fill('9210')
  await next(page).click()
  await expect(page.getByText('Enter a valid ZIP code')).toBeVisible()
  await expect(page.getByLabel('ZIP code')).toBeFocused()
  await expect(page).toHaveTitle('Error: Step 1 of 8: Initial Info – Guidon')
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByLabel('ZIP code')).toHaveValue('9210')
  await page.getByLabel('ZIP code').fill('92101')
  await next(page).click()
  await expect(heading(page, 'Your Goal With Us')).toBeFocused()
  await next(page).click()

  await expect(heading(page, 'Personal Details')).toBeFocused()
  const message = page.getByText('Date must be between the minimum and maximum dates')
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const [year, month, day] = tomorrow.slice(0, 10).split('-')
  for (const date of ['12/31/1924', `${month}/${day}/${year}`]) {
    await typeDate(page, date)
    await next(page).click()
    await expect(message).toBeVisible()
  }
  await expectAccessible(page)
})
