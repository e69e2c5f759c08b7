import { changePassword, wrongCurrentPassword } from '@guidon/contract/password'
import { HARD_TO_GUESS, passwordGuessable } from '@guidon/contract/password-strength'
import type { UserInfo } from '@guidon/contract/profile'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { james as user } from '../../../test/signed-in.ts'
import { stubNetwork, renderApp, reply, type Reply } from '../../../test/test-app.tsx'

const INFO = '/salesforce/user/me/data'
const CHANGE = '/auth/reset-password-with-current-password'
const CHANGED = 'Your password has been successfully updated!'
const OLD = 'Copper7!lantern-harbor'
const STRONG = 'Anchor5!meadow-river'

const info: UserInfo = {
  firstName: 'James',
  lastName: 'Whitfield',
  phone: '6195550134',
  email: 'james.whitfield@example.com',
  street: '12 Harbor Drive',
  city: 'San Diego',
  state: 'California',
  zip: null,
}

async function open(replies: Record<string, Reply> = {}) {
  const all: Record<string, Reply> = {
    '/auth/check-auth': () => reply(200, { user }),
    [INFO]: () => reply(200, info),
    ...replies,
  }
  const requests = stubNetwork(all)
  renderApp('/dashboard/settings')
  // The first test also waits for the screen's code to load.
  await screen.findByRole('heading', { level: 1, name: 'Settings' })
  return { replies: all, sent: () => requests.filter(({ path }) => path === CHANGE) }
}
const current = () => screen.getByLabelText('Current password')
const chosen = () => screen.getByLabelText('New password')
const button = () => screen.getByRole('button', { name: 'Change Password' })

async function submit(old: string, next: string): Promise<void> {
  await userEvent.click(current())
  await userEvent.paste(old)
  await userEvent.click(chosen())
  await userEvent.paste(next)
  await userEvent.click(button())
}

afterEach(() => vi.useRealTimers())

it('is in the menu', async () => {
  await open()
  expect(screen.getByRole('link', { name: 'Settings' })).toHaveAttribute('aria-current', 'page')
  expect(document.title).toBe('Settings – Guidon')
})

it('shows the profile, N/A for missing values, and whom to contact for changes', async () => {
  await open()
  const profile = within(await screen.findByRole('region', { name: 'Your profile' }))
  expect(await profile.findByText('12 Harbor Drive')).toBeVisible()
  expect(profile.getByText('(619) 555-0134')).toBeVisible()
  const rows = profile.getAllByRole('term').map((term) => term.parentElement?.textContent)
  expect(rows).toContain('ZipN/A')
  expect(rows).toHaveLength(8)
  expect(profile.getByText(/please contact Guidon/)).toBeVisible()
  expect(profile.queryByRole('textbox')).toBeNull()
})

it('shows: Failed to get user info., and loads on Try again', async () => {
  const { replies } = await open({ [INFO]: () => reply(500) })
  expect(await screen.findByText('Failed to get user info.')).toBeVisible()
  replies[INFO] = () => reply(200, info)
  await userEvent.click(screen.getByRole('button', { name: 'Try again to load profile' }))
  expect(await screen.findByText('12 Harbor Drive')).toBeVisible()
})

it('has a disabled button unless both passwords are filled', async () => {
  await open()
  expect(button()).toBeDisabled()
  await userEvent.type(current(), 'x')
  expect(button()).toBeDisabled()
  await userEvent.type(chosen(), 'y')
  expect(button()).toBeEnabled()
  await userEvent.clear(current())
  expect(button()).toBeDisabled()
})

it('changes the password, says so for 5 seconds, and clears the fields', async () => {
  const { sent } = await open({ [CHANGE]: () => reply(204) })
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await submit(OLD, STRONG)
  expect(await screen.findByText(CHANGED)).toBeVisible()
  const body = { currentPassword: OLD, newPassword: STRONG, confirmPassword: STRONG }
  expect(sent()).toEqual([{ path: CHANGE, body }])
  expect(current()).toHaveValue('')
  expect(chosen()).toHaveValue('')
  expect(screen.getByRole('heading', { name: 'Change Password' })).toHaveFocus()
  await act(() => vi.advanceTimersByTimeAsync(4000))
  expect(screen.getByText(CHANGED)).toBeVisible()
  await act(() => vi.advanceTimersByTimeAsync(1100))
  expect(screen.queryByText(CHANGED)).toBeNull()
})

it.each([
  ['too weak by the rules', 'weak'],
  ['made of the name', 'Whitfield-Lantern-42!'],
])('does not send a password that is %s', async (_, weak) => {
  const { sent } = await open()
  await submit(OLD, weak)
  await waitFor(() => expect(chosen()).toHaveFocus())
  expect(chosen()).toHaveAccessibleDescription(
    expect.stringContaining('Please fix the password requirements below.'),
  )
  expect(document.title).toBe('Error: Settings – Guidon')
  expect(sent()).toEqual([])
})

it('shows at its field that the current password is wrong', async () => {
  await open({ [CHANGE]: () => reply(400, wrongCurrentPassword) })
  await submit('Wrong-1!', STRONG)
  await waitFor(() => expect(current()).toHaveAccessibleDescription(wrongCurrentPassword.message))
  expect(current()).toHaveFocus()
  expect(chosen()).toHaveValue(STRONG)
})

it('shows at its field why the server refuses the new password', async () => {
  const fields = { newPassword: 'Please fix the password requirements below.' }
  await open({ [CHANGE]: () => reply(422, { ...passwordGuessable, fields }) })
  await submit(OLD, 'Password1!')
  await waitFor(() => expect(chosen()).toHaveAccessibleDescription(/Please fix the password/))
  expect(chosen()).toHaveAccessibleDescription(
    expect.stringContaining(`${HARD_TO_GUESS}, not met. ${passwordGuessable.message}`),
  )
  expect(chosen()).toHaveFocus()
})

it.each<[string, Reply, string]>([
  [
    "the server's message",
    () => reply(429, { code: 'wait', message: 'Wait a bit.' }),
    'Wait a bit.',
  ],
  ['the default', () => reply(500), changePassword.failure],
])('shows any other refusal with %s', async (_, changeReply, sentence) => {
  await open({ [CHANGE]: changeReply })
  await submit(OLD, STRONG)
  expect(await screen.findByText(sentence)).toBeVisible()
  expect(screen.queryByText(CHANGED)).toBeNull()
})
