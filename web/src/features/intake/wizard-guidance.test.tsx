import type { Intake } from '@guidon/contract/intake'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { reply } from '../../../test/test-app.tsx'
import { heading, intake, next, openWizard, replyAtStep } from '../../../test/wizard.tsx'

const everything: Intake['data'] = {
  street: '12 Elm St',
  city: 'Reno',
  state: 'NV',
  zip: '89501',
  ToC: 'Morning',
  claimType: 'New Claim Never Filed',
  gender: 'Male',
  dominantArm: 'Left',
  dateOfBirth: '1968-03-27',
  branch: 'Navy',
  nam: true,
  retired: true,
  nine11: false,
  disabilityRating: '30%',
  activeClaim: 'No',
  activeAppeal: 'No',
  vaDisabilityPay: 0,
  dependents: 0,
  ethnicity: 'Other Race',
  race: 'White',
}

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => {})
})

const menu = () => within(screen.getByRole('navigation', { name: 'Steps' }))
const menuTexts = () =>
  menu()
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

describe('the menu of steps', () => {
  it('has a check only for a step with every answer, else the count or Skipped', async () => {
    openWizard(
      replyAtStep('militaryInfo', {
        city: 'Reno',
        state: 'NV',
        gender: 'Male',
        dominantArm: 'Left',
        dateOfBirth: '1968-03-27',
        race: 'White',
      }),
    )
    await heading('Military Info')
    expect(menuTexts()).toEqual([
      '1Initial Info2 of 5',
      '2GoalSkipped',
      'Personal Details (done)',
      '4Military Info',
      '5VA Info',
      '6Financial Info',
      '7Demographic Info1 of 2',
      '8Preview',
    ])
  })

  it('marks the step of an answer that is invalid and so not saved', async () => {
    openWizard(replyAtStep('financialInfo'))
    await heading('Financial Info')
    await userEvent.type(screen.getByLabelText('Dependents'), '11')
    await userEvent.click(screen.getByRole('button', { name: 'Back' }))
    await heading('VA Info')
    expect(menuTexts()[5]).toBe('6Financial InfoFix an answer')
  })
})

describe('a step', () => {
  it('says that its questions are optional', async () => {
    openWizard(intake())
    await heading('More About You')
    const text = 'Skip anything you do not know. Saved to your account; continue on any device.'
    expect(screen.getByText(text)).toBeVisible()
  })

  it('has hints for pay and dependents', async () => {
    openWizard(replyAtStep('financialInfo'))
    await heading('Financial Info')
    const pay = screen.getByLabelText('VA disability pay')
    expect(pay).toHaveAccessibleDescription('Amount each month')
    const dependents = screen.getByLabelText('Dependents')
    expect(dependents).toHaveAccessibleDescription('People you support, 0 to 10')
  })

  it.each([
    ['goal', 'Claim type', 'Have you filed with the VA before?'],
    ['personalDetails', 'Dominant arm', 'The arm you write with'],
    ['militaryInfo', 'Are you retired?', 'From the military'],
  ] as const)('%s explains %s', async (step, question, hint) => {
    openWizard(replyAtStep(step))
    await screen.findByRole('heading', { level: 1 })
    const group = await screen.findByRole('group', { name: question })
    expect(group).toHaveAccessibleDescription(hint)
  })

  it('has the phone number for an address outside of the states', async () => {
    openWizard(intake())
    await heading('More About You')
    expect(screen.getByLabelText('State')).toHaveAccessibleDescription(
      /^Not in one of the 50 states\? Call .+\.$/,
    )
  })

  it('takes None of these as the answer to the deployments', async () => {
    const { saves } = openWizard(replyAtStep('militaryInfo'))
    await heading('Military Info')
    const none = screen.getByRole('checkbox', { name: 'None of these' })
    await userEvent.click(none)
    expect(none).toBeChecked()
    await waitFor(() =>
      expect(Object.assign({}, ...saves())).toMatchObject({ afghan: false, nam: false }),
    )
    await userEvent.click(screen.getByRole('checkbox', { name: 'Vietnam' }))
    expect(none).not.toBeChecked()
    await waitFor(() =>
      expect(Object.assign({}, ...saves())).toMatchObject({ afghan: null, nam: true }),
    )
  })

  it('says nothing for deployments that were chosen and taken back', async () => {
    const { saves } = openWizard(replyAtStep('militaryInfo'))
    await heading('Military Info')
    const group = within(screen.getByRole('group', { name: /^Deployments/ }))
    const boxes = group.getAllByRole('checkbox')
    for (const box of [...boxes.slice(0, -1), ...boxes]) await userEvent.click(box)
    await userEvent.click(boxes.at(-1)!)
    for (const box of boxes) expect(box).not.toBeChecked()
    await waitFor(() =>
      expect(Object.assign({}, ...saves())).toMatchObject({ afghan: null, nam: null }),
    )
  })
})

describe('the Preview', () => {
  const someAnswers = { city: 'Reno', state: 'NV' } as const

  it('says how many questions are answered, and Add answers leads through the others', async () => {
    const { race: _, dependents: _none, ...most } = everything
    openWizard(replyAtStep('preview', most))
    await heading('Review Your Information')
    expect(screen.getByText('You answered 18 of 20 questions.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Add answers' }))
    await waitFor(async () => expect(await heading('Financial Info')).toHaveFocus())
    await next()
    await heading('Demographic Info')
    await next()
    expect(await heading('Review Your Information')).toBeVisible()
  })

  it('can be returned to from a step that was chosen from its menu, also after Back', async () => {
    openWizard(replyAtStep('preview', someAnswers))
    await heading('Review Your Information')
    await userEvent.click(menu().getByRole('button', { name: /^Financial Info/ }))
    await heading('Financial Info')
    await userEvent.click(screen.getByRole('button', { name: 'Back' }))
    await heading('VA Info')
    await userEvent.click(screen.getByRole('button', { name: 'Return to Preview' }))
    expect(await heading('Review Your Information')).toBeVisible()
  })

  it('carries the name of the veteran and the date on paper', async () => {
    openWizard(replyAtStep('preview', someAnswers))
    await heading('Review Your Information')
    const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date())
    expect(screen.getByText('James Whitfield').parentElement).toHaveTextContent(
      `James Whitfield, printed on ${today}`,
    )
  })
})

describe('Log out', () => {
  const logOut = () => userEvent.click(screen.getByRole('button', { name: 'Log out' }))

  it('waits until the last answer is saved', async () => {
    const { replies, requests } = openWizard(intake())
    await heading('More About You')
    replies['/auth/logout'] = () => reply(204)
    await userEvent.type(screen.getByLabelText('City'), 'Reno')
    const held = Promise.withResolvers<Response>()
    const usualReply = replies['/salesforce/get-started/me']!
    replies['/salesforce/get-started/me'] = () => held.promise
    await logOut()
    expect(requests.map(({ path }) => path)).not.toContain('/auth/logout')
    held.resolve(await usualReply())
    expect(await heading('Welcome Back')).toBeVisible()
    const paths = requests.map(({ path }) => path)
    expect(paths.indexOf('/auth/logout')).toBeGreaterThan(
      paths.lastIndexOf('/salesforce/get-started/me'),
    )
  })

  it('says once that answers are not saved, and leaves on the second press', async () => {
    const { replies } = openWizard(intake())
    await heading('More About You')
    replies['/auth/logout'] = () => reply(204)
    replies['/salesforce/get-started/me'] = () => reply(503)
    await userEvent.type(screen.getByLabelText('City'), 'Reno')
    await logOut()
    expect(await screen.findByText(/^Your last answers are not saved yet/)).toBeVisible()
    await logOut()
    expect(await heading('Welcome Back')).toBeVisible()
  })
})
