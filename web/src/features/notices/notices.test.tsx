import { NOTICE_WORDS, NOTICES_INTRO, SECURITY_MAIL_ALWAYS } from '@guidon/contract/notice-words'
import {
  EMAIL_UNREACHABLE,
  getNoticePreferences,
  NOTICE_KINDS,
  NOTICE_PREFERENCES_FAILED,
  type NoticeKind,
} from '@guidon/contract/notices'
import { screens } from '@guidon/contract/screens'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { james as user } from '../../../test/signed-in.ts'
import { renderApp, reply, stubNetwork, type Reply } from '../../../test/test-app.tsx'

const OWN = '/notices/preferences/me'

afterEach(() => vi.restoreAllMocks())

const preferences = (off: readonly NoticeKind[] = []) => ({
  switches: NOTICE_KINDS.map((kind) => ({ kind, on: !off.includes(kind) })),
})

async function open(path: string, first: Reply, emailReachable = true) {
  const replies: Record<string, Reply> = {
    '/auth/check-auth': () => reply(200, { user: { ...user, emailReachable } }),
    [OWN]: first,
  }
  const requests = stubNetwork(replies)
  renderApp(path)
  // By its name, because the loading page has a heading of level 1, too.
  const name = /^(Welcome, James|Settings)$/
  await screen.findByRole('heading', { level: 1, name })
  const sent = () => requests.filter(({ body }) => body !== undefined)
  return { replies, sent }
}

const findSection = async () => {
  // A placeholder with the same name is there until the code of the section is loaded.
  await screen.findByText(NOTICES_INTRO)
  return within(screen.getByRole('region', { name: 'Email notices' }))
}

/** Settings with the section, and its switch for appointments. */
async function openSwitch(first: Reply = () => reply(200, preferences())) {
  const opened = await open(screens.settings, first)
  const section = await findSection()
  return {
    ...opened,
    section,
    appointments: await section.findByRole('switch', { name: 'Appointments' }),
  }
}

it('Settings have a switch for each kind of email, which says when it is sent', async () => {
  const { section } = await openSwitch(() => reply(200, preferences(['claimStep'])))
  const switches = section.getAllByRole('switch')
  expect(switches).toHaveLength(NOTICE_KINDS.length)
  for (const [at, kind] of NOTICE_KINDS.entries()) {
    expect(switches[at]).toHaveAccessibleName(NOTICE_WORDS[kind].label)
    expect(switches[at]).toHaveAccessibleDescription(NOTICE_WORDS[kind].when)
    expect((switches[at] as HTMLInputElement).checked).toBe(kind !== 'claimStep')
  }
})

it('Settings say that security email cannot be turned off, and why', async () => {
  const { section } = await openSwitch()
  expect(section.getByText(SECURITY_MAIL_ALWAYS)).toBeVisible()
})

it('a switch is flipped at once, saved, and announced', async () => {
  const { replies, sent, section, appointments } = await openSwitch()
  const { promise, resolve } = Promise.withResolvers<Response>()
  replies[OWN] = () => promise
  await userEvent.click(appointments)
  expect(appointments).not.toBeChecked()
  expect(appointments).toHaveFocus()
  expect(sent()).toEqual([{ path: OWN, body: { kind: 'appointment', on: false } }])
  expect(section.queryByText(/saved/)).toBeNull()
  await act(async () => resolve(reply(200, preferences(['appointment']))))
  const saved = await section.findByText(
    'Appointments: saved. You will no longer get these emails.',
  )
  expect(saved).toHaveRole('status')
  expect(appointments).not.toBeChecked()
})

it('two flips of a switch are saved one after the other, and it shows the last one', async () => {
  const { replies, sent, section, appointments } = await openSwitch()
  const first = Promise.withResolvers<Response>()
  replies[OWN] = () => first.promise
  await userEvent.click(appointments)
  await userEvent.click(appointments)
  expect(appointments).toBeChecked()
  expect(sent()).toHaveLength(1)
  replies[OWN] = () => reply(200, preferences())
  await act(async () => first.resolve(reply(200, preferences(['appointment']))))
  expect(await section.findByText('Appointments: saved. You will get these emails.')).toBeVisible()
  expect(sent().map(({ body }) => body)).toEqual([
    { kind: 'appointment', on: false },
    { kind: 'appointment', on: true },
  ])
  expect(appointments).toBeChecked()
})

it('a switch that cannot be saved is as before, with a message', async () => {
  const { replies, sent, section, appointments } = await openSwitch()
  replies[OWN] = () => reply(500)
  await userEvent.click(appointments)
  const message = await section.findByText(NOTICE_PREFERENCES_FAILED)
  expect(message.closest('[role=alert]')).not.toBeNull()
  expect(appointments).toBeChecked()
  expect(appointments).toHaveFocus()
  replies[OWN] = () => reply(200, preferences(['appointment']))
  await userEvent.click(appointments)
  await waitFor(() => expect(section.queryByText(NOTICE_PREFERENCES_FAILED)).toBeNull())
  expect(sent()).toHaveLength(2)
  expect(appointments).not.toBeChecked()
})

it('a switch that was saved without a response is shown as saved', async () => {
  const { replies, section, appointments } = await openSwitch()
  replies[OWN] = () => {
    replies[OWN] = () => reply(200, preferences(['appointment']))
    return Promise.reject(new TypeError('Failed to fetch'))
  }
  await userEvent.click(appointments)
  expect(await section.findByText(/^Appointments: saved\. You will no longer get/)).toBeVisible()
  expect(appointments).not.toBeChecked()
  expect(section.queryByText(NOTICE_PREFERENCES_FAILED, { exact: false })).toBeNull()
})

it('a switch that was changed elsewhere is not announced as saved here', async () => {
  const { replies, section, appointments } = await openSwitch()
  replies[OWN] = () => reply(200, preferences(['appointment']))
  await userEvent.click(appointments)
  const saved = await section.findByText(/^Appointments: saved\. You will no longer get/)
  expect(section.getByText('Off, saved')).toBeVisible()
  replies[OWN] = () => reply(200, preferences())
  // Opens the tab again.
  act(() => void window.dispatchEvent(new Event('visibilitychange')))
  await waitFor(() => expect(appointments).toBeChecked())
  expect(saved).toHaveTextContent('You will no longer get these emails.')
  expect(section.queryByText(/^On, saved/)).toBeNull()
})

it('switches that cannot be loaded say so, and load on Try again', async () => {
  const { replies } = await open(screens.settings, () => reply(500))
  const section = await findSection()
  expect(await section.findByText(getNoticePreferences.failure)).toBeVisible()
  replies[OWN] = () => reply(200, preferences())
  await userEvent.click(
    section.getByRole('button', { name: 'Try again to load your email settings' }),
  )
  expect(await section.findAllByRole('switch')).toHaveLength(NOTICE_KINDS.length)
})

it.each([screens.home, screens.settings])(
  '%s warns on top when emails came back, with the phone number of the provider',
  async (path) => {
    await open(path, () => reply(200, preferences()), false)
    const warning = await screen.findByText(EMAIL_UNREACHABLE, { exact: false })
    expect(warning.closest('output')).not.toBeNull()
    expect(within(warning).getByRole('link')).toHaveAttribute(
      'href',
      expect.stringMatching(/^tel:/),
    )
    const heading = screen.getByRole('heading', { level: 1 })
    expect(warning.compareDocumentPosition(heading)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  },
)

it('Home announces the warning, because its live region was there before', async () => {
  const { replies } = await open(screens.home, () => reply(200, preferences()), true)
  const regions = [...document.querySelectorAll('output')]
  replies['/auth/check-auth'] = () => reply(200, { user: { ...user, emailReachable: false } })
  // Opens the tab again after a while.
  const later = Date.now() + 120_000
  vi.spyOn(Date, 'now').mockReturnValue(later)
  act(() => void window.dispatchEvent(new Event('visibilitychange')))
  const warning = await screen.findByText(EMAIL_UNREACHABLE, { exact: false })
  expect(regions).toContain(warning.closest('output'))
})

it('Home does not warn if emails arrive', async () => {
  await open(screens.home, () => reply(200, preferences()), true)
  await screen.findByRole('heading', { level: 1, name: 'Welcome, James' })
  await act(async () => {})
  expect(screen.queryByText(EMAIL_UNREACHABLE, { exact: false })).toBeNull()
})
