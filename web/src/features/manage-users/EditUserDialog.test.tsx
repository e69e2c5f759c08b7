import { contactTaken, folderTaken, notYourself } from '@guidon/contract/manage-users'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { reply, type Reply } from '../../../test/test-app.tsx'
import { advanceSeconds, maria, openDialog, press, typeInto } from '../../../test/user-dialog.tsx'
import { sampleUser } from './sample-users.ts'

afterEach(() => vi.useRealTimers())

it('enables Save only when the Salesforce ID or the Box ID changed', async () => {
  const { dialog } = await openDialog('Edit', 'Maria')
  const save = dialog.getByRole('button', { name: 'Save' })
  expect(dialog.getByLabelText('Email')).toHaveValue(maria.email)
  expect(dialog.getByLabelText('Email')).toHaveAttribute('readonly')
  expect(save).toBeDisabled()
  typeInto('Box ID', '99')
  expect(save).toBeEnabled()
  typeInto('Box ID', ' 281190442718 ')
  expect(save).toBeDisabled()
  typeInto('Salesforce ID', '')
  expect(save).toBeDisabled()
  expect(dialog.getByText('An ID that is left empty stays as it was.')).toBeVisible()
})

it('sends only what changed and is not empty, says so, and closes 1.5 seconds later', async () => {
  const now = { ...maria, boxFolderId: '99' }
  const { sent, menu } = await openDialog('Edit', 'Maria', {
    replies: { '/admin/users/maria': () => reply(200, now) },
  })
  vi.useFakeTimers({ shouldAdvanceTime: true })
  typeInto('Salesforce ID', '')
  typeInto('Box ID', ' 99 ')
  press('Save')
  const message = 'User updated successfully!'
  expect(await screen.findByText(message)).toBeVisible()
  expect(sent()).toEqual([{ path: '/admin/users/maria', body: { boxFolderId: '99' } }])
  await advanceSeconds(1.2)
  expect(screen.getByRole('dialog', { name: 'Edit User' })).toBeVisible()
  await advanceSeconds(0.4)
  await advanceSeconds(0.5)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(menu).toHaveFocus()
  expect(screen.getByText('99')).toBeVisible()
  // The snackbar, for 3 seconds.
  expect(screen.getByText(message)).toBeVisible()
  await advanceSeconds(3.1)
  expect(screen.queryByText(message)).toBeNull()
})

it('shows that it is saving, and cannot be closed meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  await openDialog('Edit', 'Maria', { replies: { '/admin/users/maria': () => promise } })
  typeInto('Box ID', '99')
  press('Save')
  expect(await screen.findByRole('button', { name: 'Saving…' })).toHaveAttribute(
    'aria-busy',
    'true',
  )
  press('Cancel')
  expect(screen.getByRole('dialog', { name: 'Edit User' })).toBeVisible()
  await act(async () => resolve(reply(200, maria)))
})

it('does not send an ID with characters other than letters and digits', async () => {
  const { dialog, sent } = await openDialog('Edit', 'Maria')
  typeInto('Salesforce ID', '003-5e')
  press('Save')
  await waitFor(() =>
    expect(dialog.getByLabelText('Salesforce ID')).toHaveAccessibleDescription(
      'Enter an id of letters and digits',
    ),
  )
  expect(sent()).toEqual([])
})

it('does not save an account whose email has no @', async () => {
  const odd = sampleUser({ id: 'odd', email: 'maria.example.com' })
  const { dialog, sent } = await openDialog('Edit', 'Maria', { users: [odd] })
  typeInto('Box ID', '99')
  press('Save')
  expect(await dialog.findByText('Please enter a valid email address')).toBeVisible()
  expect(sent()).toEqual([])
})

it.each<[string, Reply, string]>([
  ["the server's message, at its field", () => reply(409, contactTaken), contactTaken.message],
  ['the default', () => reply(500), 'Failed to update user. Please try again later.'],
])('shows a refusal with %s', async (_, saveReply, sentence) => {
  await openDialog('Edit', 'Maria', { replies: { '/admin/users/maria': saveReply } })
  typeInto('Salesforce ID', '0035e00001Other')
  press('Save')
  expect(await screen.findByText(sentence)).toBeVisible()
  expect(screen.getByLabelText('Salesforce ID')).toHaveValue('0035e00001Other')
})

it("shows at its field that a Box folder is another veteran's", async () => {
  const { dialog } = await openDialog('Edit', 'Maria', {
    replies: { '/admin/users/maria': () => reply(409, folderTaken) },
  })
  typeInto('Box ID', '99')
  press('Save')
  await waitFor(() =>
    expect(dialog.getByLabelText('Box ID')).toHaveAccessibleDescription(folderTaken.message),
  )
})

it('deletes a user from Edit User after confirmation, and shows the account as inactive', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const { sent } = await openDialog('Edit', 'Maria', {
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

it('shows why an account was not deleted', async () => {
  await openDialog('Edit', 'Maria', {
    replies: { '/admin/users/maria': () => reply(409, notYourself) },
  })
  press('Delete User')
  const question = within(await screen.findByRole('alertdialog', { name: 'Delete User' }))
  fireEvent.click(question.getByRole('button', { name: 'Delete User' }))
  expect(await question.findByText(notYourself.message)).toBeVisible()
})

it('does not offer Delete for the own account, and only the IDs for an inactive one', async () => {
  const { dialog } = await openDialog('Edit', 'Dana')
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
