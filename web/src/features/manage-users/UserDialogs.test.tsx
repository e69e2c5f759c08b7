import type { Role } from '@guidon/contract/account'
import { getDocumentsOf, type Document } from '@guidon/contract/documents'
import { contactTaken, notYourself, type ManagedUser } from '@guidon/contract/manage-users'
import { act, configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { network, renderApp, reply, type Reply } from '../../../test/test-app.tsx'
import { person } from './sample-users.ts'

const STRONG = 'Anchor5!meadow-river'
const maria = person({ id: 'maria', salesforceId: '0035e00001XyAb1', boxFolderId: '281190442718' })
const linda = person({
  id: 'linda',
  email: 'linda@example.com',
  firstName: 'Linda',
  isActive: false,
})
const dana = person({ id: 'dana', email: 'dana@guidon.example', firstName: 'Dana', role: 'ADMIN' })

vi.setConfig({ testTimeout: 40_000 })
configure({ asyncUtilTimeout: 8_000 })
afterEach(() => vi.useRealTimers())

interface Setting {
  replies?: Record<string, Reply>
  users?: readonly ManagedUser[]
  role?: Role
}

async function open(
  action: 'Edit' | 'View Documents',
  name: string,
  { replies = {}, users = [maria, linda, dana], role = 'ADMIN' }: Setting = {},
) {
  const listed = () => reply(200, { users, total: users.length, next: null })
  const all: Record<string, Reply> = {
    '/auth/check-auth': () => reply(200, { user: { ...dana, role } }),
    '/admin/users?sortBy=createdAt&order=desc&limit=10': listed,
    '/admin/users?sortBy=createdAt&order=desc&limit=100000': listed,
    ...replies,
  }
  const made = network(all)
  renderApp('/admin-dashboard')
  const menu = await screen.findByRole(
    'button',
    { name: `Actions for ${name} Alvarez` },
    { timeout: 15_000 },
  )
  fireEvent.click(menu)
  fireEvent.click(await screen.findByRole('menuitem', { name: action }))
  const title = action === 'Edit' ? 'Edit User' : 'User Documents'
  const dialog = within(await screen.findByRole('dialog', { name: title }, { timeout: 15_000 }))
  const sent = () => made.filter(({ path }) => path.startsWith('/admin/users/'))
  return { replies: all, dialog, menu, sent }
}

const later = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

it('enables Save only when the Salesforce ID or the Box ID changed', async () => {
  const { dialog } = await open('Edit', 'Maria')
  const save = dialog.getByRole('button', { name: 'Save' })
  expect(dialog.getByLabelText('Email')).toHaveValue(maria.email)
  expect(dialog.getByLabelText('Email')).toHaveAttribute('readonly')
  expect(save).toBeDisabled()
  type('Box ID', '99')
  expect(save).toBeEnabled()
  type('Box ID', ' 281190442718 ')
  expect(save).toBeDisabled()
  type('Salesforce ID', '')
  expect(save).toBeDisabled()
  expect(dialog.getByText('An ID that is left empty stays as it was.')).toBeVisible()
})

it('sends only what changed and is not empty, says so, and closes 1.5 seconds later', async () => {
  const now = { ...maria, boxFolderId: '99' }
  const { sent, menu } = await open('Edit', 'Maria', {
    replies: { '/admin/users/maria': () => reply(200, now) },
  })
  vi.useFakeTimers({ shouldAdvanceTime: true })
  type('Salesforce ID', '')
  type('Box ID', ' 99 ')
  press('Save')
  const said = 'User updated successfully!'
  expect(await screen.findByText(said)).toBeVisible()
  expect(sent()).toEqual([{ path: '/admin/users/maria', body: { boxFolderId: '99' } }])
  await later(1.2)
  expect(screen.getByRole('dialog', { name: 'Edit User' })).toBeVisible()
  await later(0.4)
  await later(0.5)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(menu).toHaveFocus()
  expect(screen.getByText('99')).toBeVisible()
  // The snackbar, for 3 seconds.
  expect(screen.getByText(said)).toBeVisible()
  await later(3.1)
  expect(screen.queryByText(said)).toBeNull()
})

it('shows that it is saving, and cannot be left meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  await open('Edit', 'Maria', { replies: { '/admin/users/maria': () => promise } })
  type('Box ID', '99')
  press('Save')
  expect(await screen.findByRole('button', { name: 'Saving…' })).toHaveAttribute(
    'aria-busy',
    'true',
  )
  press('Cancel')
  expect(screen.getByRole('dialog', { name: 'Edit User' })).toBeVisible()
  await act(async () => resolve(reply(200, maria)))
})

it('does not send an ID with other than letters and digits', async () => {
  const { dialog, sent } = await open('Edit', 'Maria')
  type('Salesforce ID', '003-5e')
  press('Save')
  await waitFor(() =>
    expect(dialog.getByLabelText('Salesforce ID')).toHaveAccessibleDescription(
      'Enter an id of letters and digits',
    ),
  )
  expect(sent()).toEqual([])
})

it('does not save an account whose email has no @', async () => {
  const odd = person({ id: 'odd', email: 'maria.example.com' })
  const { dialog, sent } = await open('Edit', 'Maria', { users: [odd] })
  type('Box ID', '99')
  press('Save')
  expect(await dialog.findByText('Please enter a valid email address')).toBeVisible()
  expect(sent()).toEqual([])
})

it.each<[string, Reply, string]>([
  ['its own sentence, at its field', () => reply(409, contactTaken), contactTaken.message],
  ['the default', () => reply(500), 'Failed to update user. Please try again later.'],
])('shows what the server refuses with %s', async (_, answer, sentence) => {
  await open('Edit', 'Maria', { replies: { '/admin/users/maria': answer } })
  type('Salesforce ID', '0035e00001Other')
  press('Save')
  expect(await screen.findByText(sentence)).toBeVisible()
  expect(screen.getByLabelText('Salesforce ID')).toHaveValue('0035e00001Other')
})

it('deletes from inside Edit User after a question, and shows the account as inactive', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const { sent } = await open('Edit', 'Maria', {
    users: [maria],
    replies: { '/admin/users/maria': () => promise },
  })
  press('Delete User')
  const question = within(await screen.findByRole('alertdialog', { name: 'Delete User' }))
  expect(question.getByText(/can no longer sign in/)).toBeVisible()
  expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  expect(sent()).toEqual([])
  fireEvent.click(question.getByRole('button', { name: 'Delete User' }))
  expect(await question.findByRole('button', { name: 'Deleting…' })).toBeVisible()
  await act(async () => resolve(reply(204)))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent()).toEqual([{ path: '/admin/users/maria', body: undefined }])
  expect(screen.getByText('Inactive')).toBeVisible()
  expect(screen.getByText(/User deleted/)).toBeVisible()
})

it('shows why an account is not deleted', async () => {
  await open('Edit', 'Maria', {
    replies: { '/admin/users/maria': () => reply(409, notYourself) },
  })
  press('Delete User')
  const question = within(await screen.findByRole('alertdialog', { name: 'Delete User' }))
  fireEvent.click(question.getByRole('button', { name: 'Delete User' }))
  expect(await question.findByText(notYourself.message)).toBeVisible()
})

it('offers nobody to delete the own account, nor anything but the IDs of an inactive one', async () => {
  const { dialog } = await open('Edit', 'Dana')
  expect(dialog.getByRole('button', { name: 'Reset Password' })).toBeVisible()
  expect(dialog.queryByRole('button', { name: 'Delete User' })).toBeNull()
  press('Cancel')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.click(screen.getByRole('button', { name: 'Actions for Linda Alvarez' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  expect(await screen.findByLabelText('Box ID')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Reset Password' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Delete User' })).toBeNull()
})

async function openReset(replies: Record<string, Reply> = {}) {
  const opened = await open('Edit', 'Maria', { replies })
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
    'easy to guess',
    'Password1!',
    'Password1!',
    'New password',
    'Password does not meet requirements',
  ],
  ['not repeated alike', STRONG, 'Other5!meadow', 'Confirm password', 'Passwords do not match'],
])('does not set a password that is %s', async (_, password, again, field, sentence) => {
  const { reset, submit, sent } = await openReset()
  expect(reset.getByText('Use uppercase, lowercase and numbers or symbols.')).toBeVisible()
  type('New password', password)
  type('Confirm password', again)
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
  type('New password', STRONG)
  type('Confirm password', STRONG)
  submit()
  expect(await reset.findByRole('button', { name: 'Resetting…' })).toBeVisible()
  await waitFor(() => expect(sent()).toHaveLength(1))
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await act(async () => resolve(reply(204)))
  expect(await screen.findByText('Password has been reset successfully!')).toBeVisible()
  expect(sent()).toEqual([{ path: RESET, body: { newPassword: STRONG, confirmPassword: STRONG } }])
  await later(1.7)
  expect(screen.getByRole('dialog', { name: 'Reset Password' })).toBeVisible()
  await later(0.4)
  expect(screen.queryByRole('dialog', { name: 'Reset Password' })).toBeNull()
  expect(screen.getByRole('dialog', { name: 'Edit User' })).toBeVisible()
})

it('shows: Failed to reset password. Please try again later.', async () => {
  const { submit } = await openReset({ [RESET]: () => reply(500) })
  type('New password', STRONG)
  type('Confirm password', STRONG)
  submit()
  expect(await screen.findByText('Failed to reset password. Please try again later.')).toBeVisible()
})

const OF_MARIA = '/salesforce/documents/0035e00001XyAb1'
const letter: Document = {
  id: '2',
  name: 'nexus-letter.pdf',
  type: 'Medical',
  boxFileId: '9',
  lastUploadedDate: '2026-10-01T00:00:00Z',
  size: null,
  sha256: null,
}

it('shows the documents of a user', async () => {
  const asked = { ...letter, id: '1', name: 'DD-214', boxFileId: null, lastUploadedDate: null }
  const { dialog } = await open('View Documents', 'Maria', {
    replies: { [OF_MARIA]: () => reply(200, [letter, asked]) },
  })
  expect(await dialog.findByText('Uploaded · Medical · October 1, 2026')).toBeVisible()
  const lines = dialog.getAllByRole('listitem').map((line) => line.textContent)
  expect(lines).toEqual([
    'DD-214Requested · Medical',
    'nexus-letter.pdfUploaded · Medical · October 1, 2026',
  ])
  await userEvent.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('says that a user without a Salesforce ID is not linked, and that there is nothing', async () => {
  const { dialog } = await open('View Documents', 'Linda')
  expect(dialog.getByText(/not linked/)).toBeVisible()
  press('Close')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('shows: Failed to load documents. Please try again later., and is tried again', async () => {
  const { dialog, replies } = await open('View Documents', 'Maria', {
    replies: { [OF_MARIA]: () => reply(503, { code: 'unexpected' }) },
  })
  expect(await dialog.findByText(getDocumentsOf.failure)).toBeVisible()
  replies[OF_MARIA] = () => reply(200, [])
  press('Try again to load documents')
  expect(await dialog.findByText('No documents have been shared or requested.')).toBeVisible()
})
