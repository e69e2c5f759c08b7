import { getIntake, intakeSubmitted, saveIntake } from '@guidon/contract/intake'
import { getTodo, NOTHING_TO_DO } from '@guidon/contract/todo'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { reply } from '../../../test/test-app.tsx'
import {
  heading,
  intake,
  next,
  openWizard as open,
  replyAtStep,
  user,
} from '../../../test/wizard.tsx'

const part = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const localDraft = () => JSON.parse(sessionStorage.getItem('guidon.intake.form') ?? '{}')

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => {})
})

describe('the wizard', () => {
  it('prefills the US state of the account, and saves on Next', async () => {
    const { saves } = open(intake())
    await heading('More About You')
    expect(document.title).toBe('Step 1 of 8: Initial Info – Guidon')
    expect(screen.getByLabelText('State')).toHaveValue('California')
    await userEvent.type(screen.getByLabelText('City'), 'Reno')
    await next()
    await waitFor(async () => expect(await heading('Your Goal With Us')).toHaveFocus())
    expect(document.title).toBe('Step 2 of 8: Goal – Guidon')
    await waitFor(() =>
      expect(Object.assign({}, ...saves())).toMatchObject({
        city: 'Reno',
        state: 'CA',
        step: 'goal',
      }),
    )
    // In any time zone, at the minute of the prepared reply.
    expect(await screen.findByText(/^Saved \d+:42 [AP]M$/)).toBeVisible()
  })

  it('opens only the current or an earlier step from its menu', async () => {
    open(replyAtStep('personalDetails'))
    await heading('Personal Details')
    const menu = within(screen.getByRole('navigation', { name: 'Steps' }))
    expect(menu.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Initial Info'),
      expect.stringContaining('Goal'),
      expect.stringContaining('Personal Details'),
    ])
    expect(menu.getByRole('button', { current: 'step' })).toHaveTextContent('Personal Details')
    expect(menu.getByText('Military Info')).toBeVisible()
    await userEvent.click(menu.getByRole('button', { name: /Goal/ }))
    expect(await heading('Your Goal With Us')).toBeVisible()
  })

  it('shows invalid answers, focuses the first, and continues once they are corrected', async () => {
    open(replyAtStep('financialInfo'))
    await heading('Financial Info')
    await userEvent.type(screen.getByLabelText('VA disability pay'), '-1')
    await userEvent.type(screen.getByLabelText('Dependents'), '11')
    await next()
    expect(await screen.findByText('VA disability pay must be at least 0')).toBeVisible()
    expect(screen.getByText('Dependents must be from 0 to 10')).toBeVisible()
    expect(screen.getByLabelText('VA disability pay')).toHaveFocus()
    expect(document.title).toBe('Error: Step 6 of 8: Financial Info – Guidon')
    await userEvent.type(screen.getByLabelText('VA disability pay'), '{Home}{Delete}')
    await userEvent.type(screen.getByLabelText('Dependents'), '{Backspace}')
    expect(screen.queryByText('Dependents must be from 0 to 10')).toBeNull()
    await next()
    expect(await heading('Demographic Info')).toBeVisible()
  })

  it('shows ethnicity and race unselected, and clears an answer', async () => {
    const { saves } = open(replyAtStep('demographicInfo'))
    await heading('Demographic Info')
    expect(screen.queryAllByRole('radio', { checked: true })).toEqual([])
    await userEvent.click(screen.getByRole('radio', { name: 'Asian' }))
    await userEvent.click(screen.getByRole('button', { name: /Clear Race/ }))
    await next()
    await heading('Review Your Information')
    await waitFor(() => expect(Object.assign({}, ...saves())).toMatchObject({ race: null }))
  })

  it('refuses an incomplete date of birth, keeps its digits and focuses the missing part', async () => {
    const { saves } = open(replyAtStep('personalDetails'))
    await heading('Personal Details')
    await userEvent.type(part('Month'), '03')
    await userEvent.type(part('Day'), '27')
    await next()
    expect(await screen.findByText('Date of birth must include a year')).toBeVisible()
    expect(part('Year')).toHaveFocus()
    expect(part('Year')).toBeInvalid()
    expect(part('Year')).toHaveAccessibleDescription('Date of birth must include a year')
    expect([part('Month'), part('Day')].map((input) => input.value)).toEqual(['03', '27'])
    expect(await screen.findByText('Not saved yet: fix the answer in red')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Back' }))
    await heading('Your Goal With Us')
    await next()
    await heading('Personal Details')
    expect([part('Month'), part('Day')].map((input) => input.value)).toEqual(['03', '27'])
    await userEvent.type(part('Year'), '68{Enter}')
    await heading('Military Info')
    await waitFor(() =>
      expect(saves().filter((save) => 'dateOfBirth' in (save as object))).toEqual([
        expect.objectContaining({ dateOfBirth: '1968-03-27' }),
      ]),
    )
  })

  it('clears a date only when all of its parts are cleared', async () => {
    const { saves } = open(replyAtStep('personalDetails', { dateOfBirth: '1968-03-27' }))
    await heading('Personal Details')
    await userEvent.clear(part('Year'))
    await userEvent.click(screen.getByRole('radio', { name: 'Female' }))
    expect(await screen.findByText('Date of birth must include a year')).toBeVisible()
    await waitFor(() => expect(saves().at(-1)).toMatchObject({ gender: 'Female' }))
    expect(await screen.findByText('Not saved yet: fix the answer in red')).toBeVisible()
    expect(saves().some((save) => 'dateOfBirth' in (save as object))).toBe(false)
    await userEvent.clear(part('Month'))
    await userEvent.clear(part('Day'))
    await next()
    await heading('Military Info')
    await waitFor(() => expect(Object.assign({}, ...saves())).toMatchObject({ dateOfBirth: null }))
  })

  it('does not save a day that is still being typed', async () => {
    const { saves } = open(replyAtStep('personalDetails', { dateOfBirth: '1968-03-27' }))
    await heading('Personal Details')
    await userEvent.type(part('Day'), '{Backspace}')
    expect(part('Day').value).toBe('2')
    const kept = JSON.parse(sessionStorage.getItem('guidon.intake.personal-details') ?? '{}')
    expect(kept.answers.dateOfBirth).toBe('03|2|1968')
    await userEvent.type(part('Day'), '5')
    await next()
    await heading('Military Info')
    await waitFor(() =>
      expect(Object.assign({}, ...saves())).toMatchObject({ dateOfBirth: '1968-03-25' }),
    )
  })

  it('returns to the Preview after a change', async () => {
    open(replyAtStep('preview', { claimType: 'New Claim Never Filed' }))
    await heading('Review Your Information')
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: /Change Goal/ }))
    await heading('Your Goal With Us')
    await userEvent.click(screen.getByRole('radio', { name: 'New Claim Previously Filed' }))
    await userEvent.click(screen.getByRole('button', { name: 'Return to Preview' }))
    await heading('Review Your Information')
    const row = screen.getByText('Filed with the VA before').parentElement
    expect(row).toHaveTextContent('Yes')
  })

  it('is not blocked by failing saves, and shows that the answers are not sent yet', async () => {
    const { replies } = open(intake())
    await heading('More About You')
    replies[saveIntake.path] = () => reply(503)
    await userEvent.type(screen.getByLabelText('City'), 'Reno')
    await next()
    expect(await heading('Your Goal With Us')).toBeVisible()
    expect(await screen.findByText(/^Not sent yet: kept in this tab/)).toBeVisible()
    for (const alert of screen.getAllByRole('alert')) expect(alert).toBeEmptyDOMElement()
    expect(localDraft().answers).toMatchObject({ city: 'Reno' })
  })

  it('goes to the dashboard on Submit and clears the local draft after a 2xx', async () => {
    const { replies, saves } = open(replyAtStep('preview'))
    await heading('Review Your Information')
    replies[saveIntake.path] = intake({ submittedAt: '2026-11-15T23:42:00.000Z' })
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }))
    expect(await heading(/^Welcome/)).toBeVisible()
    expect(saves().at(-1)).toMatchObject({ submit: true })
    expect(sessionStorage).toHaveLength(0)
  })

  it('shows on the dashboard that the intake was received, without waiting for another response', async () => {
    const { replies, requests } = open(replyAtStep('preview', { city: 'Reno' }))
    await heading('Review Your Information')
    const replySubmitted = intake({ submittedAt: '2026-11-15T12:00:00.000Z' })
    const item = { kind: 'intake', id: 'u1', subject: null, due: null, why: null }
    const todo = { items: [item], checkedAt: '2026-11-15T12:00:00.000Z' }
    replies[getTodo.path] = () => reply(200, todo)
    const held: (() => void)[] = []
    // Reads and saves have the same path; only a save has a body.
    replies[saveIntake.path] = () =>
      requests.at(-1)?.body
        ? replySubmitted()
        : new Promise((resolve) => held.push(() => resolve(replySubmitted())))
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }))
    expect(await heading(/^Welcome/)).toBeVisible()
    const received = 'We received your intake on November 15, 2026.'
    expect(await screen.findByText(received)).toBeVisible()
    expect(await screen.findByText(NOTHING_TO_DO)).toBeVisible()
    expect(screen.queryByText('Finish your intake')).toBeNull()
    for (const release of held) release()
    expect(await screen.findByText(received)).toBeVisible()
  })

  it('tells on the dashboard that an answer came after the intake was submitted on another device', async () => {
    const { replies, requests } = open(intake())
    await heading('More About You')
    replies[saveIntake.path] = () =>
      requests.at(-1)?.body
        ? reply(intakeSubmitted.status, intakeSubmitted)
        : intake({ submittedAt: '2026-11-15T12:00:00.000Z' })()
    await userEvent.type(screen.getByLabelText('City'), 'Reno')
    expect(await heading(/^Welcome/)).toBeVisible()
    expect(await screen.findByText(intakeSubmitted.message)).toBeVisible()
  })

  it('goes to the dashboard even when Submit fails, and keeps the local draft', async () => {
    const { replies } = open(replyAtStep('preview', { city: 'Reno' }))
    await heading('Review Your Information')
    replies[saveIntake.path] = () => Promise.reject(new TypeError('Failed to fetch'))
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }))
    expect(await heading(/^Welcome/)).toBeVisible()
    expect(localDraft()).toMatchObject({ submit: true, answers: { city: 'Reno' } })
  })
})

describe('/get-started', () => {
  it.each([
    ['has submitted', { submittedAt: '2026-11-15T23:42:00.000Z' }],
    ['is linked to an existing account', { linkedToExistingAccount: true }],
  ])('redirects a user who %s to /dashboard/home', async (_, parts) => {
    open(intake(parts))
    expect(await heading(/^Welcome/)).toBeVisible()
  })

  it('resumes at the last step with the answers from any device', async () => {
    open(replyAtStep('vaInfo', { disabilityRating: '30%', activeClaim: 'Yes' }))
    await heading('VA Info')
    expect(screen.getByLabelText('Disability rating')).toHaveValue('30%')
    const claim = screen.getByRole('group', { name: 'Active claim pending' })
    expect(within(claim).getByRole('radio', { name: 'Yes' })).toBeChecked()
  })

  it('offers Try again when the intake cannot be loaded', async () => {
    const { replies } = open(() => reply(503))
    expect(await screen.findByText(getIntake.failure)).toBeVisible()
    replies[getIntake.path] = intake()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await heading('More About You')).toBeVisible()
  })

  it('continues with the local draft when the server is unreachable', async () => {
    sessionStorage.setItem(
      'guidon.intake.form',
      JSON.stringify({ owner: user.email, version: 1, step: 'goal', answers: { city: 'Reno' } }),
    )
    open(() => reply(503))
    expect(await heading('Your Goal With Us')).toBeVisible()
  })
})
