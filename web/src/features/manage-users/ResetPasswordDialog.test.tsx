import { HARD_TO_GUESS, passwordGuessable } from '@guidon/contract/password-strength'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { reply, type Reply } from '../../../test/test-app.tsx'
import { advanceSeconds, openDialog, press, typeInto } from '../../../test/user-dialog.tsx'

afterEach(() => vi.useRealTimers())

const STRONG = 'Anchor5!meadow-river'
async function openReset(replies: Record<string, Reply> = {}) {
  const opened = await openDialog('Edit', 'Maria', { replies })
  press('Reset Password')
  const reset = within(await screen.findByRole('dialog', { name: 'Reset Password' }))
  const submit = () => fireEvent.click(reset.getByRole('button', { name: 'Reset Password' }))
  return { ...opened, reset, submit }
}
const RESET = '/admin/users/maria/reset-password'

it.each([
  ['short', 'Ab1!', 'Ab1!', 'New password', 'Password must be at least 8 characters long'],
  [
    'weak by the rules',
    'longenough',
    'longenough',
    'New password',
    'Password does not meet requirements',
  ],
  [
    'like the name',
    'Alvarez7!lantern',
    'Alvarez7!lantern',
    'New password',
    'Password does not meet requirements',
  ],
  ['not repeated correctly', STRONG, 'Other5!meadow', 'Confirm password', 'Passwords do not match'],
])('does not set a password that is %s', async (_, password, again, field, sentence) => {
  const { reset, submit, sent } = await openReset()
  expect(reset.getByText('Use uppercase, lowercase and numbers or symbols.')).toBeVisible()
  typeInto('New password', password)
  typeInto('Confirm password', again)
  submit()
  await waitFor(() =>
    expect(reset.getByLabelText(field)).toHaveAccessibleDescription(
      expect.stringContaining(sentence),
    ),
  )
  expect(sent()).toEqual([])
})

it('resets the password, says so, and closes 2 seconds later', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const { reset, submit, sent } = await openReset({ [RESET]: () => promise })
  typeInto('New password', STRONG)
  typeInto('Confirm password', STRONG)
  submit()
  expect(await reset.findByRole('button', { name: 'Resetting…' })).toBeVisible()
  await waitFor(() => expect(sent()).toHaveLength(1))
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await act(async () => resolve(reply(204)))
  expect(await screen.findByText('Password has been reset successfully!')).toBeVisible()
  expect(sent()).toEqual([{ path: RESET, body: { newPassword: STRONG, confirmPassword: STRONG } }])
  await advanceSeconds(1.7)
  expect(screen.getByRole('dialog', { name: 'Reset Password' })).toBeVisible()
  await advanceSeconds(0.4)
  expect(screen.queryByRole('dialog', { name: 'Reset Password' })).toBeNull()
  expect(screen.getByRole('dialog', { name: 'Edit User' })).toBeVisible()
})

it('shows: Failed to reset password. Please try again later.', async () => {
  const { submit } = await openReset({ [RESET]: () => reply(500) })
  typeInto('New password', STRONG)
  typeInto('Confirm password', STRONG)
  submit()
  expect(await screen.findByText('Failed to reset password. Please try again later.')).toBeVisible()
})

it('marks the rule that the server found broken', async () => {
  const fields = { newPassword: 'Please fix the password requirements below.' }
  const { reset, submit } = await openReset({
    [RESET]: () => reply(422, { ...passwordGuessable, fields }),
  })
  typeInto('New password', 'Password1!')
  typeInto('Confirm password', 'Password1!')
  submit()
  const rule = `${HARD_TO_GUESS}, not met. ${passwordGuessable.message}`
  await waitFor(() =>
    expect(reset.getByLabelText('New password')).toHaveAccessibleDescription(
      expect.stringContaining(rule),
    ),
  )
})

it('suggests a password that meets every rule, shows it and offers to copy it', async () => {
  const { reset, submit, sent } = await openReset({ [RESET]: () => reply(204) })
  expect(reset.getByText('The password needs:')).toBeVisible()
  press('Suggest one')
  const suggested = reset.getByText(/^(\w{4}-){3}\w{4}$/).textContent
  expect(reset.getByLabelText('New password')).toHaveValue(suggested)
  expect(reset.getByLabelText('Confirm password')).toHaveValue(suggested)
  expect(reset.getByRole('button', { name: 'Copy suggested password' })).toBeVisible()
  submit()
  await waitFor(() =>
    expect(sent()[0]?.body).toEqual({ newPassword: suggested, confirmPassword: suggested }),
  )
})

it('hides the suggestion once another password is typed', async () => {
  const { reset } = await openReset()
  press('Suggest one')
  typeInto('New password', STRONG)
  expect(reset.queryByRole('button', { name: 'Copy suggested password' })).toBeNull()
})
