import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { james as user } from '../../test/signed-in.ts'
import { stubNetwork, renderApp, reply, type Reply } from '../../test/test-app.tsx'

async function open(replies: Record<string, Reply>) {
  stubNetwork({ '/auth/check-auth': () => reply(200, { user }), ...replies })
  renderApp('/dashboard/home')
  // The first test also waits for the screen's code to load.
  await screen.findByRole('heading', { name: 'Welcome, James' })
}

/** The sections below the first ones are shown later; a hidden one has no role. */
async function openAllSections(replies: Record<string, Reply>) {
  await open(replies)
  await screen.findByRole('region', { name: 'Your case manager' })
}

it('shows the menu Home, Settings, Log out, and the email, phone and help of the user', async () => {
  await open({})
  const menu = within(screen.getByRole('navigation', { name: 'Main' }))
  expect(menu.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Home',
    'Settings',
    'Log out',
  ])
  const side = within(screen.getByRole('complementary'))
  for (const text of ['James Whitfield', user.email, '(619) 555-0134', '8:00 am-5:00 pm PST']) {
    expect(side.getByText(text)).toBeVisible()
  }
})

it('shows each part that loads, even when others fail', async () => {
  await openAllSections({
    '/salesforce/case-manager/me': () => reply(503),
    '/salesforce/appointments/me': () => reply(200, []),
  })
  expect(await screen.findByText('Failed to get case manager.')).toBeVisible()
  expect(await screen.findByText('No upcoming appointments scheduled.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Request Contact' })).toBeVisible()
})

it('hides the other sections until the to-do list has loaded, but only for a short time', async () => {
  await open({ '/todo/me': () => new Promise(() => {}), '/claims/me': () => reply(200, []) })
  expect(screen.queryByRole('heading', { name: 'Appointments' })).toBeNull()
  expect(await screen.findByRole('heading', { name: 'Appointments' })).toBeVisible()
  expect(screen.getByRole('heading', { name: 'What you need to do' })).toBeVisible()
})

it.each([
  [null, 'We are assigning your case manager.'],
  [
    { name: 'Dana Okafor', email: null, phone: null },
    'Your case manager guides your claim from start to finish.',
  ],
])('says under the heading whether there is a case manager: %o', async (caseManager, sentence) => {
  await openAllSections({ '/salesforce/case-manager/me': () => reply(200, { caseManager }) })
  expect(await screen.findByText(sentence, { exact: false })).toBeVisible()
  expect(screen.getAllByText(/case manager guides|assigning/)).toHaveLength(1)
})

it('says nothing about a case manager as long as it is not known', async () => {
  await openAllSections({ '/salesforce/case-manager/me': () => reply(503) })
  expect(await screen.findByText('Reach out whenever you have a question.')).toBeVisible()
})

it('goes to Settings and back', async () => {
  await open({})
  await userEvent.click(screen.getByRole('link', { name: 'Settings' }))
  const settings = { level: 1, name: 'Settings' }
  expect(await screen.findByRole('heading', settings)).toHaveFocus()
  await userEvent.click(screen.getByRole('link', { name: 'Home' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome, James' })).toHaveFocus()
})
