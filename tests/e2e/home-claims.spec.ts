import { getClaims } from '@guidon/contract/claims'
import { screens } from '@guidon/contract/screens'
import { expectAccessible, NARROWEST_WINDOW } from './support/accessibility.ts'
import {
  claimSection,
  CRM_CHANGE_TIMEOUT,
  openCrmContact,
  sectionHeading,
  todoTitles,
} from './support/case-page.ts'
import { contactIdOf, expectInPortal } from './support/crm.ts'
import { choose, dialog } from './support/manage-users-page.ts'
import { openHome, openSession } from './support/session.ts'
import { expect, test } from './support/test.ts'

test(
  'a claim moves forward and back in the CRM, and the open screen follows without a reload',
  { tag: '@desktop-only' },
  async ({ page, browser, signedIn, salesforce }) => {
    test.setTimeout(180_000)
    const contactId = await contactIdOf(await signedIn(), salesforce)
    await openHome(page)
    await expect(todoTitles(page)).toHaveText(['Finish your intake'])
    await expect(claimSection(page)).toHaveCount(0)
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    const crm = await browser.newPage()
    const claimForm = (button: 'Add' | 'Save') =>
      crm.locator(button === 'Add' ? 'form[action$=add-claim]' : 'form[action$=change-claim]')
    const save = async (button: 'Add' | 'Save', stage: string, texts: Record<string, string>) => {
      await openCrmContact(crm, contactId)
      await claimForm(button).getByLabel('Stage', { exact: true }).selectOption(stage)
      for (const [label, text] of Object.entries(texts))
        await claimForm(button).getByLabel(label, { exact: true }).fill(text)
      await claimForm(button).getByRole('button', { name: button }).click()
    }
    const sentence = (text: string) =>
      claimSection(page).getByRole('heading', { level: 3, name: text })
    const current = claimSection(page).locator('[aria-current=step]')

    await test.step('it appears', async () => {
      await save('Add', 'Case Review', { Title: 'Increase: knee and hearing' })
      await expect(sentence('We are reviewing what you sent us')).toBeVisible(CRM_CHANGE_TIMEOUT)
      await expect(claimSection(page).getByText('Increase: knee and hearing')).toBeVisible()
      await expect(current).toContainText('Current step: Case review')
    })
    await test.step('it moves forward', async () => {
      await save('Save', 'Gathering Records', { 'Next step': 'We call you about your visits.' })
      await expect(sentence('We are gathering your records')).toBeVisible(CRM_CHANGE_TIMEOUT)
      await expect(claimSection(page)).toContainText('This step usually takes 3 to 6 weeks.')
      await expect(claimSection(page)).toContainText('We call you about your visits.')
      await expect(current).toContainText('Current step: Gathering records')
      await expect(claimSection(page).getByText(/moved your claim back/)).toHaveCount(0)
    })
    await test.step('it moves back, with the reason', async () => {
      const reason = 'Your treatment records from 2019 are missing.'
      await save('Save', 'Case Review', { 'Why it is in this stage': reason })
      await expect(sentence('We are reviewing what you sent us')).toBeVisible(CRM_CHANGE_TIMEOUT)
      await expect(
        claimSection(page).getByText(/^We moved your claim back to this step/),
      ).toBeVisible()
      await expect(claimSection(page).getByText(reason)).toBeVisible()
      await expectAccessible(page)
    })
    await test.step('Recent activity has the steps, and See all leads to Settings', async () => {
      const activity = page.getByRole('region', { name: 'Recent activity' })
      await expect(activity.getByRole('listitem').first()).toContainText(
        /moved back to: Case review/,
      )
      expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
      await activity.getByRole('link', { name: 'See all activity' }).click()
      await expect(sectionHeading(page, 'Your case')).toBeFocused()
      const all = page.getByRole('region', { name: 'Your case' })
      await expect(all.getByRole('listitem').first()).toContainText(/moved back to: Case review/)
      await expectAccessible(page)
    })
    await crm.close()
  },
)

test(
  'several claims: the open ones first, one in a stage without words, one closed',
  { tag: '@phone' },
  async ({ page, signedIn, salesforce }) => {
    const contactId = await contactIdOf(await signedIn(), salesforce)
    for (const claim of [
      { title: 'Back', stage: 'Filed with VA', closed: true },
      { title: 'Knee', stage: 'Gathering Records', since: '2026-11-04T12:00:00Z' },
      { title: 'Hearing', stage: 'Peer Review', since: '2026-11-01T12:00:00Z' },
    ]) {
      await salesforce.staff('add-claim', { contactId, ...claim })
      await expectInPortal(page, getClaims.path, claim.title)
    }
    await openHome(page)
    await expect(sectionHeading(page, 'Where your claims stand')).toBeVisible()
    const cards = claimSection(page).getByRole('article')
    await expect(cards.getByRole('heading', { level: 3 })).toHaveText([
      'We are gathering your records',
      'Peer Review',
      'This claim is closed',
    ])
    await expect(cards.nth(1).getByRole('listitem')).toHaveText([/Current step: Peer Review/])
    await expect(cards.nth(2)).toContainText('Last step: Filed with VA')
    await expectAccessible(page)
    await page.setViewportSize(NARROWEST_WINDOW)
    await expectAccessible(page)
  },
)

test(
  'the steps are side by side on a wide screen, and below each other on a phone',
  { tag: '@desktop-only' },
  async ({ page, signedIn, salesforce }) => {
    const contactId = await contactIdOf(await signedIn(), salesforce)
    await salesforce.staff('add-claim', { contactId, title: 'Knee', stage: 'Gathering Records' })
    await expectInPortal(page, getClaims.path, 'Knee')
    await openHome(page)
    const steps = claimSection(page).getByRole('listitem')
    await expect(steps).toHaveCount(6)
    const firstTwo = () =>
      Promise.all([0, 1].map(async (index) => (await steps.nth(index).boundingBox())!))
    const [left, right] = await firstTwo()
    expect(right!.x).toBeGreaterThan(left!.x + left!.width - 1)
    await page.setViewportSize({ width: 390, height: 844 })
    const [upper, lower] = await firstTwo()
    expect(lower!.y).toBeGreaterThan(upper!.y + upper!.height - 1)
  },
)

test(
  'staff see the to-do list and the claims of a veteran in Edit User',
  { tag: '@phone' },
  async ({ page, account, signedIn, salesforce, mailbox }) => {
    const veteran = await signedIn()
    const contactId = await contactIdOf(veteran, salesforce)
    await salesforce.staff('add-claim', { contactId, title: 'Knee', stage: 'Gathering Records' })
    await expectInPortal(page, getClaims.path, 'Knee')
    await openSession(page, await account('STAFF'), mailbox)
    await page.goto(screens.adminDashboard)
    await choose(page, veteran, 'Edit')
    const edit = dialog(page, 'Edit User')
    await edit.getByRole('button', { name: 'To-do list and claims' }).click()
    await expect(edit.getByText('Finish your intake')).toBeVisible()
    await expect(edit.getByText('We are gathering your records')).toBeVisible()
    await expect(edit.getByRole('button', { name: /^(Upload|Start|Continue)/ })).toHaveCount(0)
    await expectAccessible(page)
    await page.setViewportSize(NARROWEST_WINDOW)
    await expectAccessible(page)
  },
)
