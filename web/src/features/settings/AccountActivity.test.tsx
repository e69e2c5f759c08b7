import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { stubNetwork, renderScreen, reply, type Reply } from '../../../test/test-app.tsx'
import { localDateTime } from '../../ui/dates.ts'
import { AccountActivity } from './AccountActivity.tsx'

const PATH = '/account/activity/me'

function open(activityReply: Reply) {
  const replies = { [PATH]: activityReply }
  stubNetwork(replies)
  renderScreen('/dashboard/settings', <AccountActivity />)
  return { replies, section: within(screen.getByRole('region', { name: 'Account activity' })) }
}

it('lists the events of the account, in the order of the server', async () => {
  const { section } = open(() =>
    reply(200, [
      { at: '2026-11-12T15:42:10.123456Z', what: 'Signed in' },
      { at: '2026-11-10T00:05:00.000Z', what: 'Password changed' },
    ]),
  )
  expect(await section.findByText('Signed in')).toBeVisible()
  expect(section.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
    `Signed in${localDateTime('2026-11-12T15:42:10.123Z')}`,
    `Password changed${localDateTime('2026-11-10T00:05:00.000Z')}`,
  ])
})

it('shows the latest five, and the rest on Show more', async () => {
  const events = Array.from({ length: 7 }, (_, day) => ({
    at: `2026-11-1${7 - day}T15:42:00.000Z`,
    what: 'Signed in',
  }))
  const { section } = open(() => reply(200, events))
  const more = await section.findByRole('button', { name: 'Show more' })
  expect(section.getAllByRole('listitem')).toHaveLength(5)
  await userEvent.click(more)
  expect(section.getAllByRole('listitem')).toHaveLength(7)
  expect(more).toHaveAttribute('aria-expanded', 'true')
})

it('says that nothing has happened yet', async () => {
  const { section } = open(() => reply(200, []))
  expect(await section.findByText('Nothing has happened yet.')).toBeVisible()
})

it('shows: Failed to get account activity., and loads on Try again', async () => {
  const { section, replies } = open(() => reply(500))
  expect(await section.findByText('Failed to get account activity.')).toBeVisible()
  replies[PATH] = () => reply(200, [])
  await userEvent.click(section.getByRole('button', { name: 'Try again to load account activity' }))
  expect(await section.findByText('Nothing has happened yet.')).toBeVisible()
})
