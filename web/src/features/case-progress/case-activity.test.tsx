import { getCaseActivity } from '@guidon/contract/case-activity'
import { screens } from '@guidon/contract/screens'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { james as user } from '../../../test/signed-in.ts'
import { renderApp, renderScreen, reply, stubNetwork, type Reply } from '../../../test/test-app.tsx'
import { RecentActivity } from './RecentActivity.tsx'

const events = Array.from({ length: 7 }, (_, day) => ({
  at: `2020-11-1${7 - day}T15:42:00.000Z`,
  what: `We received: file ${day}.pdf`,
}))

function openHomePart(activityReply: Reply) {
  const requests = stubNetwork({ [getCaseActivity.path]: activityReply })
  renderScreen(screens.home, <RecentActivity />)
  return requests
}

it('shows the last five events on Home, and where to see all', async () => {
  openHomePart(() => reply(200, events))
  const section = within(await screen.findByRole('region', { name: 'Recent activity' }))
  const lines = section.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(lines).toHaveLength(5)
  expect(lines[0]).toBe('We received: file 0.pdfNovember 17, 2020')
  const link = section.getByRole('link', { name: 'See all activity' })
  expect(link).toHaveAttribute('href', '/dashboard/settings#your-case')
})

it('is not on Home as long as nothing has happened', async () => {
  const requests = openHomePart(() => reply(200, []))
  await waitFor(() => expect(requests).toHaveLength(1))
  expect(screen.queryByRole('region')).toBeNull()
})

it('lists all events in Settings, and See all leads there', async () => {
  stubNetwork({
    '/auth/check-auth': () => reply(200, { user }),
    [getCaseActivity.path]: () => reply(200, events),
  })
  renderApp(screens.home)
  const link = { name: 'See all activity' }
  // It also waits for the screen's code to load.
  await userEvent.click(await screen.findByRole('link', link))
  const heading = await screen.findByRole('heading', { level: 2, name: 'Your case' })
  await waitFor(() => expect(heading).toHaveFocus())
  const section = within(screen.getByRole('region', { name: 'Your case' }))
  await userEvent.click(await section.findByRole('button', { name: 'Show more' }))
  expect(section.getAllByRole('listitem')).toHaveLength(7)
})
