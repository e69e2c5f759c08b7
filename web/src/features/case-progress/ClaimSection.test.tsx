import { getClaims, type Claim } from '@guidon/contract/claims'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { sampleClaim } from '../../../test/sample-case.ts'
import { renderScreen, reply, stubNetwork, type Reply } from '../../../test/test-app.tsx'
import { ClaimSection } from './ClaimSection.tsx'

const HEADING = 'Where your claim stands'

function open(claimsReply: Reply) {
  const replies = { [getClaims.path]: claimsReply }
  const requests = stubNetwork(replies)
  renderScreen('/dashboard/home', <ClaimSection intakeDone={false} />)
  return { replies, requests }
}
const openWith = (...all: Claim[]) => open(() => reply(200, all))
const section = async (name = HEADING) => within(await screen.findByRole('region', { name }))

it('says where the claim stands, and lists the steps', async () => {
  openWith(sampleClaim({ nextStep: 'We call you about the visits.' }))
  const card = await section()
  expect(card.getByText('Increase: knee and hearing')).toBeVisible()
  const sentence = { level: 3, name: 'We are gathering your records' }
  expect(card.getByRole('heading', sentence)).toBeVisible()
  expect(card.getByText(/usually takes 3 to 6 weeks\. We are working on it\./)).toBeVisible()
  expect(card.getByText('We call you about the visits.')).toBeVisible()
  const steps = card.getAllByRole('listitem')
  expect(steps.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Done: IntakeOctober 20/),
    'Done: Case review',
    expect.stringMatching(/^Current step: Gathering recordssince November 4/),
    'Still to come: Medical visits',
  ])
  expect(steps.map((step) => step.getAttribute('aria-current'))).toEqual([null, null, 'step', null])
  expect(card.queryByText(/moved your claim back/)).toBeNull()
})

it('says that the claim was moved back, and why', async () => {
  openWith(sampleClaim({ movedBack: { reason: 'Your records of 2019 are missing.' } }))
  const card = await section()
  expect(card.getByText(/^We moved your claim back to this step on November 4/)).toBeVisible()
  expect(card.getByText('Your records of 2019 are missing.')).toBeVisible()
})

it('shows a stage that has no sentence by its label', async () => {
  const stage = { label: 'Peer review', sentence: null, actor: null, usualTime: null }
  openWith(sampleClaim({ stage, since: null }))
  const card = await section()
  expect(card.getByRole('heading', { level: 3, name: 'Peer review' })).toBeVisible()
  expect(card.queryByText(/Since|usually/)).toBeNull()
})

it('shows a card for each claim, and which one is closed', async () => {
  openWith(sampleClaim(), sampleClaim({ id: 'c2', title: 'Back', closed: true }))
  const cards = (await section('Where your claims stand')).getAllByRole('article')
  expect(cards).toHaveLength(2)
  const closed = within(cards[1]!)
  expect(closed.getByText('This claim is closed')).toBeVisible()
  expect(closed.getByText('Last step: Gathering records')).toBeVisible()
  expect(closed.queryByRole('list')).toBeNull()
})

it('is not there without a claim, nor while it loads', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const { requests } = open(() => promise)
  await waitFor(() => expect(requests).toHaveLength(1))
  expect(screen.queryByRole('region')).toBeNull()
  resolve(reply(200, []))
  await promise
  expect(screen.queryByRole('region')).toBeNull()
  expect(screen.queryByRole('heading')).toBeNull()
})

it('shows: Failed to get your claims., and keeps the focus in its place after Try again', async () => {
  const { replies } = open(() => reply(503))
  const card = await section()
  expect(card.getByText('Failed to get your claims.')).toBeVisible()
  replies[getClaims.path] = () => reply(200, [])
  await userEvent.click(card.getByRole('button', { name: 'Try again to load claims' }))
  expect(await card.findByText('There is nothing to show here.')).toBeVisible()
  expect(document.body).not.toHaveFocus()
})
