import { SECURITY_MAIL_ALWAYS } from '@guidon/contract/notice-words'
import {
  getNoticePreferencesByToken,
  NOTICE_KINDS,
  NOTICE_PREFERENCES_FAILED,
  NOTICE_TOKEN_MAX,
  noticeLinkVoid,
  type NoticeKind,
} from '@guidon/contract/notices'
import { screens } from '@guidon/contract/screens'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { renderApp, reply, stubNetwork, type Reply } from '../../../test/test-app.tsx'

const TOKEN = 'abc.def-1'
const READ = `/notices/preferences?token=${TOKEN}`
const SAVE = '/notices/preferences'

const preferences = (off: readonly NoticeKind[] = []) => ({
  switches: NOTICE_KINDS.map((kind) => ({ kind, on: !off.includes(kind) })),
})

function open(first: Reply = () => reply(200, preferences()), query = `?token=${TOKEN}`) {
  const replies: Record<string, Reply> = { [READ]: first }
  const requests = stubNetwork(replies)
  history.replaceState(history.state, '', screens.unsubscribe + query)
  renderApp(screens.unsubscribe + query)
  return { replies, requests }
}
const findSwitch = (name: string) => screen.findByRole('switch', { name })

afterEach(() => {
  history.replaceState(null, '', '/')
})

it('shows the switches of the link without a session, and only reads', async () => {
  const { requests } = open()
  expect(await findSwitch('Appointments')).toBeChecked()
  expect(screen.getAllByRole('switch')).toHaveLength(NOTICE_KINDS.length)
  expect(screen.getByRole('heading', { level: 1, name: 'Email notices' })).toBeVisible()
  expect(screen.getByText(SECURITY_MAIL_ALWAYS)).toBeVisible()
  expect(screen.queryByText(/^Turned off/)).toBeNull()
  expect(requests).toEqual([{ path: READ, body: undefined }])
  expect(document.title).toBe('Email notices – Guidon')
})

it('removes the token from the address, and still has it after a reload, and after Back from the sign-in', async () => {
  history.replaceState({ key: 'kept' }, '', '/')
  open()
  await findSwitch('Appointments')
  expect(location.pathname + location.search).toBe(screens.unsubscribe)
  expect(history.state).toMatchObject({ key: 'kept' })
  expect(localStorage).toHaveLength(0)
  cleanup()
  // As the sign-in does.
  sessionStorage.clear()
  open(undefined, '')
  expect(await findSwitch('Appointments')).toBeChecked()
})

it('confirms what one click turned off', async () => {
  open(() => reply(200, preferences(['appointment', 'claimStep'])))
  expect(await findSwitch('Appointments')).not.toBeChecked()
  const text = screen.getByText(
    'Turned off: Appointments, Your claim. You will not get these emails.',
  )
  expect(text.closest('[role=status]')).not.toBeNull()
})

it('saves a switch by the token', async () => {
  const { replies, requests } = open(() => reply(200, preferences(['appointment'])))
  const appointments = await findSwitch('Appointments')
  replies[SAVE] = () => reply(200, preferences())
  await userEvent.click(appointments)
  expect(await screen.findByText(/^Appointments: saved\. You will get/)).toBeVisible()
  expect(requests.at(-1)).toEqual({
    path: SAVE,
    body: { token: TOKEN, kind: 'appointment', on: true },
  })
  expect(appointments).toBeChecked()
  expect(screen.queryByText(/^Turned off/)).toBeNull()
})

it('announces a further change once, by its switch', async () => {
  const { replies } = open(() => reply(200, preferences(['appointment'])))
  const claim = await findSwitch('Your claim')
  replies[SAVE] = () => reply(200, preferences(['appointment', 'claimStep']))
  await userEvent.click(claim)
  expect(await screen.findByText(/^Your claim: saved/)).toBeVisible()
  expect(screen.queryByText(/^Turned off/)).toBeNull()
})

it('shows a switch that cannot be saved as before, with a message', async () => {
  const { replies } = open()
  const appointments = await findSwitch('Appointments')
  replies[SAVE] = () => reply(500)
  await userEvent.click(appointments)
  expect(await screen.findByText(NOTICE_PREFERENCES_FAILED)).toBeVisible()
  expect(appointments).toBeChecked()
})

it.each<[string, string, number]>([
  ['a link that the server refuses', `?token=${TOKEN}`, 1],
  ['a link without a token', '', 0],
  ['an empty token', '?token=', 0],
  ['a token with other characters', '?token=a%20b', 0],
  ['a token that is too long', `?token=${'x'.repeat(NOTICE_TOKEN_MAX + 1)}`, 0],
])('says kindly that a link does not work, and what to do, for %s', async (_, query, count) => {
  const { requests } = open(() => reply(404, noticeLinkVoid), query)
  const heading = { level: 1, name: 'We could not open your email settings' }
  expect(await screen.findByRole('heading', heading)).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent(noticeLinkVoid.message)
  const main = within(screen.getByRole('main'))
  expect(main.getByRole('link', { name: 'Open Settings' })).toHaveAttribute(
    'href',
    screens.settings,
  )
  expect(main.getByText(/If you cannot sign in, call/)).toBeVisible()
  expect(screen.queryByRole('switch')).toBeNull()
  expect(document.title).toBe('Error: Email notices – Guidon')
  expect(requests).toHaveLength(count)
})

it('says that the switches cannot be loaded, and loads them on Try again', async () => {
  const { replies } = open(() => reply(500))
  const message = await screen.findByText(getNoticePreferencesByToken.failure, undefined)
  expect(message).toBeVisible()
  replies[READ] = () => reply(200, preferences())
  await userEvent.click(screen.getByRole('button', { name: /^Try again/ }))
  expect(await findSwitch('Appointments')).toBeChecked()
})
