import { INTAKE_STEPS } from '@guidon/contract/intake'
import { saveIntake } from '@guidon/contract/intake'
import type { Page } from '@playwright/test'
import { failRequests } from '../support/failing-requests.ts'
import { allAnswers } from '../support/intake-answers.ts'
import {
  click,
  openCalendar,
  openIntake,
  openIntakeAt,
  typeDate,
} from '../support/intake-wizard.ts'
import { portalHeaders } from '../support/session.ts'
import { expect } from '../support/test.ts'
import { picture } from './picture.ts'

async function answerAll(page: Page): Promise<void> {
  const response = await page.request.patch(saveIntake.path, {
    data: allAnswers,
    ...portalHeaders(),
  })
  expect(response.ok(), await response.text()).toBe(true)
}

const expectStep = (page: Page) => expect(page.getByText(/^Step \d of 8/)).toBeVisible()

for (const [index, name] of INTAKE_STEPS.entries()) {
  picture('Intake', `${index + 1} ${name}, empty`, async ({ page, signedIn }) => {
    await signedIn()
    await openIntakeAt(page, name)
    await expectStep(page)
  })
  picture(
    'Intake',
    `${index + 1} ${name}, filled`,
    async ({ page, signedIn }) => {
      await signedIn()
      await answerAll(page)
      await openIntakeAt(page, name)
      await expectStep(page)
    },
    name === 'militaryInfo' ? [{ file: 'intake.png', width: 1280 }] : [],
  )
}
picture('Intake', 'wrong date', async ({ page, signedIn }) => {
  await signedIn()
  await openIntakeAt(page, 'personalDetails')
  await typeDate(page, '13/40/1968')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
})
picture('Intake', 'calendar', async ({ page, signedIn }) => {
  await signedIn()
  await openIntakeAt(page, 'personalDetails')
  await openCalendar(page, click)
})
picture('Intake', 'all steps on a phone', async ({ page, signedIn }) => {
  await signedIn()
  await page.setViewportSize({ width: 390, height: 844 })
  await openIntakeAt(page, 'militaryInfo')
  await page.getByRole('button', { name: 'All steps' }).click()
  await expect(page.getByRole('dialog', { name: 'All steps' })).toBeVisible()
})
picture('Intake', 'cannot be opened', async ({ page, signedIn }) => {
  await signedIn()
  await failRequests(page, '**/salesforce/get-started/me')
  await openIntake(page)
  await expect(page.getByRole('heading', { name: 'We could not open your intake' })).toBeVisible()
})
