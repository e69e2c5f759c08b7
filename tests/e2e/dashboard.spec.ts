import { readFile } from 'node:fs/promises'
import { getAppointments } from '@guidon/contract/appointments'
import { getCaseManager } from '@guidon/contract/case-manager'
import type { Page } from '@playwright/test'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import { contactIdOf, expectInPortal } from './support/crm.ts'
import { openHome } from './support/session.ts'
import { expect, test } from './support/test.ts'

// The US time zone furthest behind UTC, where a date mistaken for UTC shows as another day.
test.use({ timezoneId: 'Pacific/Honolulu' })

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Request Contact' })

test(
  'Home shows the case manager and the appointments from the CRM',
  { tag: '@phone' },
  async ({ page, context, signedIn, salesforce }) => {
    test.setTimeout(120_000)
    const contactId = await contactIdOf(await signedIn(), salesforce)
    const [dana] = await salesforce.rows<{ Id: string }>('User', { LastName: 'Reyes' })
    await salesforce.staff('assign-case-manager', { contactId, userId: dana?.Id })
    for (const [date, time, clinicName, clinicPhone] of [
      ['2099-12-10', '14:00', 'Mission Valley Audiology', '6195550190'],
      ['2099-11-24', '09:30', 'Harbor Orthopedic Clinic', '6195550121'],
    ]) {
      await salesforce.staff('add-appointment', { contactId, date, time, clinicName, clinicPhone })
    }
    await expectInPortal(page, getCaseManager.path, 'Dana Reyes')
    await expectInPortal(page, getAppointments.path, 'Mission Valley Audiology')
    await expectInPortal(page, getAppointments.path, 'Harbor Orthopedic Clinic')
    await openHome(page)
    const cards = page.getByRole('region', { name: 'Appointments' }).getByRole('listitem')
    await expect(cards).toHaveCount(2)

    await test.step('the case manager: name, email with copy button, phone', async () => {
      const card = page.getByRole('region', { name: 'Your case manager' })
      await expect(card.getByText('Dana Reyes')).toBeVisible()
      await expect(card.getByRole('link', { name: '(800) 555-0142' })).toHaveAttribute(
        'href',
        'tel:+18005550142',
      )
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await card.getByRole('button', { name: 'Copy email address' }).click()
      await expect(card.getByRole('button', { name: 'Copied email address' })).toBeVisible()
      await expect(card.getByRole('status')).toHaveText('The email address is copied.')
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        'dana.reyes@guidon.example',
      )
    })

    await test.step('the next appointment first: badge, long date, time, clinic, phone', async () => {
      const first = cards.first()
      await expect(first.getByRole('heading', { name: 'Harbor Orthopedic Clinic' })).toBeVisible()
      for (const text of ['Tue', '24', 'November 24, 2099', '9:30 AM']) {
        await expect(first.getByText(text, { exact: true })).toBeVisible()
      }
      await expect(first.getByRole('link', { name: '(619) 555-0121' })).toHaveAttribute(
        'href',
        'tel:+16195550121',
      )
      await expect(cards.last().getByText('2:00 PM')).toBeVisible()
    })

    await test.step('an appointment is added to the calendar at the time of the clinic', async () => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        cards
          .first()
          .getByRole('button', { name: /^Add to calendar/ })
          .click(),
      ])
      expect(file.suggestedFilename()).toBe('appointment-2099-11-24.ics')
      expect(await readFile(await file.path(), 'utf8')).toContain('\r\nDTSTART:20991124T093000\r\n')
    })
    await expectAccessible(page)
    await page.setViewportSize(NARROWEST_WINDOW)
    await expectAccessible(page)
  },
)

test('Home of a veteran without a case manager and appointments', async ({ page, signedIn }) => {
  const james = await signedIn()
  await openHome(page)
  const card = page.getByRole('region', { name: 'Your case manager' })
  await expect(card.getByText('Awaiting Case Manager')).toBeVisible()
  await expect(card.getByRole('link', { name: 'info@guidon.example' })).toBeVisible()
  await expect(card.getByRole('link', { name: '1-800-555-0142' })).toBeVisible()
  await expect(page.getByText('No upcoming appointments scheduled.')).toBeVisible()

  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('listitem')).toHaveText(['Home', 'Settings', 'Log out'])
  const side = page.getByRole('complementary')
  for (const text of ['James Whitfield', james.email, '(619) 555-0134']) {
    await expect(side.getByText(text)).toBeVisible()
  }
  await expect(side.getByText(/^Call 1-800-555-0142 for immediate assistance/)).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize(NARROWEST_WINDOW)
  await expectAccessible(page)
})

test.describe('Request Contact', () => {
  test(
    'by phone, with the keyboard alone',
    { tag: '@desktop-only' },
    async ({ page, signedIn, salesforce }) => {
      const james = await signedIn()
      await openHome(page)
      await page.getByRole('button', { name: 'Request Contact' }).focus()
      await page.keyboard.press('Enter')
      await expect(dialog(page)).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await expect(dialog(page).getByRole('radio', { name: 'Phone' })).toBeChecked()
      await page.keyboard.press('Enter')
      const confirmation = page.getByText('Your request for contact via phone has been sent.')
      await expect(dialog(page).getByText(/via phone has been sent/)).toBeVisible()
      await expect(dialog(page)).toBeHidden()
      await expect(page.getByRole('button', { name: 'Request Contact' })).toBeFocused()
      await expect(confirmation).toBeVisible()
      const Veteran__c = await contactIdOf(james, salesforce)
      const rows = await salesforce.rows('Contact_Request__c', { Veteran__c, Method__c: 'Call' })
      expect(rows).toHaveLength(1)
    },
  )
})
