import { EMAIL_TOO_LONG_FOR_CRM } from '@guidon/contract/crm-refusals'
import { folderRefused } from '@guidon/contract/folders'
import { contactTaken, notYourself, updateUser } from '@guidon/contract/manage-users'
import { EMAIL_UNREACHABLE_STAFF, NO_DELIVERIES } from '@guidon/contract/notice-words'
import { DELIVERIES_MAX, getDeliveriesOf, type Delivery } from '@guidon/contract/notices'
import { getProgressOf } from '@guidon/contract/todo'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { sampleClaim, sampleItem } from '../../../test/sample-case.ts'
import { reply, type Reply } from '../../../test/test-app.tsx'
import { advanceSeconds, maria, openDialog, press, typeInto } from '../../../test/user-dialog.tsx'
import { localDateTime } from '../../ui/dates.ts'
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
  const updated = { ...maria, boxFolderId: '99' }
  const { sent, menu } = await openDialog('Edit', 'Maria', {
    replies: { '/admin/users/maria': () => reply(200, updated) },
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

it('keeps what was typed without a connection, and says so', async () => {
  const { replies } = await openDialog('Edit', 'Maria', {
    replies: { '/admin/users/maria': () => Promise.reject() },
  })
  typeInto('Box ID', '99')
  press('Save')
  const failure = await screen.findByText(/Please check your internet connection\./)
  expect(failure).toHaveTextContent(updateUser.failure)
  expect(screen.getByLabelText('Box ID')).toHaveValue('99')
  replies['/admin/users/maria'] = () => reply(200, { ...maria, boxFolderId: '99' })
  press('Save')
  expect(await screen.findByText('User updated successfully!')).toBeVisible()
})

it('shows the phone number', async () => {
  const { dialog } = await openDialog('Edit', 'Maria')
  expect(dialog.getByRole('link', { name: '(619) 555-0134' })).toHaveAttribute(
    'href',
    'tel:+16195550134',
  )
})

it("shows at its field that a Box folder is another veteran's", async () => {
  const { dialog } = await openDialog('Edit', 'Maria', {
    replies: { '/admin/users/maria': () => reply(409, folderRefused('taken')) },
  })
  typeInto('Box ID', '99')
  press('Save')
  await waitFor(() =>
    expect(dialog.getByLabelText('Box ID')).toHaveAccessibleDescription(
      folderRefused('taken').message,
    ),
  )
})

it('deletes a user from Edit User after confirmation, and shows the account as inactive', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const { sent, menu } = await openDialog('Edit', 'Maria', {
    users: [maria],
    replies: { '/admin/users/maria': () => promise },
  })
  press('Delete User')
  const question = within(await screen.findByRole('alertdialog', { name: 'Delete User' }))
  expect(question.getByText(/can no longer sign in/)).toBeVisible()
  expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  expect(question.getByRole('button', { name: 'Delete User' })).toHaveAttribute('data-destructive')
  expect(sent()).toEqual([])
  fireEvent.click(question.getByRole('button', { name: 'Delete User' }))
  expect(await question.findByRole('button', { name: 'Deleting…' })).toBeVisible()
  await act(async () => resolve(reply(204)))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent()).toEqual([{ path: '/admin/users/maria', body: undefined }])
  expect(screen.getByText('Inactive', { selector: 'span' })).toBeVisible()
  expect(screen.getByText(/User deleted/)).toBeVisible()
  await waitFor(() => expect(menu).toHaveFocus())
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

it('does not offer administrators to delete their own account', async () => {
  const { dialog } = await openDialog('Edit', 'Dana')
  expect(dialog.getByRole('button', { name: 'Reset Password' })).toBeVisible()
  expect(dialog.queryByRole('button', { name: 'Delete User' })).toBeNull()
})

it('says that an account is inactive, and makes it active again after confirmation', async () => {
  const reactivated = sampleUser({ id: 'linda', firstName: 'Linda' })
  const { dialog, sent, menu } = await openDialog('Edit', 'Linda', {
    replies: { '/admin/users/linda/reactivate': () => reply(200, reactivated) },
  })
  expect(dialog.getByText(/This account is inactive/)).toBeVisible()
  expect(dialog.queryByRole('button', { name: 'Reset Password' })).toBeNull()
  expect(dialog.queryByRole('button', { name: 'Delete User' })).toBeNull()
  press('Make active again')
  const question = within(await screen.findByRole('alertdialog', { name: 'Make active again' }))
  expect(question.getByText(/can sign in again with the same password/)).toBeVisible()
  expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  expect(sent()).toEqual([])
  fireEvent.click(question.getByRole('button', { name: 'Make active again' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent()).toEqual([{ path: '/admin/users/linda/reactivate', body: undefined }])
  expect(screen.queryByText('Inactive', { selector: 'span' })).toBeNull()
  expect(screen.getByText('The account is active again.')).toBeVisible()
  await waitFor(() => expect(menu).toHaveFocus())
})

it('tells staff to ask an admin about an inactive account', async () => {
  const { dialog } = await openDialog('Edit', 'Linda', { role: 'STAFF' })
  expect(dialog.getByText(/Ask an admin to make it active again\./)).toBeVisible()
  expect(dialog.queryByRole('button', { name: 'Make active again' })).toBeNull()
})

it('says what Salesforce refused of the account, and why', async () => {
  const { dialog } = await openDialog('Edit', 'Maria', {
    replies: {
      '/admin/users/maria/refusals': () =>
        reply(200, [{ kind: 'contact', code: 'DUPLICATES_DETECTED' }]),
    },
  })
  const text = await dialog.findByText(/^Salesforce refused the contact of this account\./)
  expect(text).toHaveTextContent('A duplicate rule found a similar record.')
  expect(text).toHaveTextContent('the operator of the portal sends them again')
})

it('says that an email is too long for Salesforce', async () => {
  const long = sampleUser({ id: 'long', email: `${'m'.repeat(69)}@example.com` })
  const { dialog } = await openDialog('Edit', 'Maria', { users: [long] })
  expect(dialog.getByText(EMAIL_TOO_LONG_FOR_CRM)).toBeVisible()
})

it('says nothing of Salesforce if it has everything', async () => {
  const { dialog } = await openDialog('Edit', 'Maria', {
    users: [sampleUser({ id: 'maria', email: `${'m'.repeat(68)}@example.com` })],
  })
  expect(dialog.queryByText(/Salesforce (refused|holds)/)).toBeNull()
})

it('loads the to-do list and the claims of a veteran only when they are opened', async () => {
  const path = '/admin/users/maria/progress'
  const todo = [sampleItem({ due: '2099-12-03', why: 'It proves your service.' })]
  const { dialog, sent } = await openDialog('Edit', 'Maria', {
    replies: { [path]: () => reply(200, { todo, claims: [sampleClaim()] }) },
  })
  const button = dialog.getByRole('button', { name: 'To-do list and claims' })
  expect(button).toHaveAttribute('aria-expanded', 'false')
  expect(sent()).toEqual([])
  fireEvent.click(button)
  expect(await dialog.findByText('Send us: DD Form 214')).toBeVisible()
  expect(dialog.getByText('By December 3, 2099.')).toBeVisible()
  expect(dialog.getByText('We are gathering your records')).toBeVisible()
  expect(dialog.queryByRole('button', { name: /Upload/ })).toBeNull()
  expect(sent()).toEqual([{ path, body: undefined }])
})

it('says when the to-do list of a veteran cannot be loaded', async () => {
  const { dialog } = await openDialog('Edit', 'Maria')
  press('To-do list and claims')
  expect(await dialog.findByText(getProgressOf.failure)).toBeVisible()
})

it('has no to-do list for an account of the staff', async () => {
  const { dialog } = await openDialog('Edit', 'Dana')
  expect(dialog.queryByRole('button', { name: 'To-do list and claims' })).toBeNull()
})

const EMAILS = '/admin/users/maria/deliveries'
const delivery: Delivery = {
  id: 'd1',
  kinds: ['appointment', 'claimStep'],
  state: 'failed',
  queuedAt: '2026-11-15T09:00:00.000Z',
  changedAt: '2026-11-15T09:06:00.000Z',
  result: '5.1.1',
}

it('lists which emails were sent, when and with which result, only when it is opened', async () => {
  const code: Delivery = { ...delivery, id: 'd2', kinds: ['code'], state: 'sent', result: null }
  const all: Delivery[] = [
    delivery,
    code,
    { ...code, id: 'd3', state: 'delivered' },
    { ...code, id: 'd4', state: 'queued' },
    { ...code, id: 'd5', state: 'failed', result: '550' },
  ]
  const { dialog, sent } = await openDialog('Edit', 'Maria', {
    replies: {
      [EMAILS]: () => reply(200, { deliveries: all }),
    },
  })
  const button = dialog.getByRole('button', { name: 'Emails sent' })
  expect(button).toHaveAttribute('aria-expanded', 'false')
  expect(sent()).toEqual([])
  fireEvent.click(button)
  expect(await dialog.findByText('Appointments, Your claim: Came back (5.1.1)')).toBeVisible()
  const queued = localDateTime(delivery.queuedAt)
  const changed = localDateTime(delivery.changedAt)
  // The date is not repeated.
  const later = changed.split(', ').at(-1)
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    `Appointments, Your claim: Came back (5.1.1)Sent ${queued}, came back ${later}`,
    `Code to sign in: SentSent ${changed}`,
    `Code to sign in: DeliveredSent ${queued}, delivered ${later}`,
    `Code to sign in: WaitingWaiting since ${queued}`,
    `Code to sign in: Could not be sent (550)Tried ${changed}`,
  ])
  expect(sent()).toEqual([{ path: EMAILS, body: undefined }])
})

it('says that no email was sent', async () => {
  const { dialog } = await openDialog('Edit', 'Maria', {
    replies: { [EMAILS]: () => reply(200, { deliveries: [] }) },
  })
  press('Emails sent')
  expect(await dialog.findByText(NO_DELIVERIES)).toBeVisible()
})

it.each([
  ['more emails were sent than it lists', DELIVERIES_MAX, 1],
  ['it lists all', DELIVERIES_MAX - 1, 0],
])('says whether %s', async (_, length, count) => {
  const deliveries = Array.from({ length }, (_entry, id) => ({ ...delivery, id: String(id) }))
  const { dialog } = await openDialog('Edit', 'Maria', {
    replies: { [EMAILS]: () => reply(200, { deliveries }) },
  })
  press('Emails sent')
  fireEvent.click(await dialog.findByRole('button', { name: 'Show more' }))
  expect(dialog.queryAllByText(`These are the latest ${DELIVERIES_MAX} emails.`)).toHaveLength(
    count,
  )
})

it('says at the top that a veteran cannot be reached by email and must be called', async () => {
  const { dialog, sent } = await openDialog('Edit', 'Maria', {
    replies: { '/admin/users/maria/email-reachable': () => reply(200, { emailReachable: false }) },
  })
  const notice = await dialog.findByText(EMAIL_UNREACHABLE_STAFF)
  expect(notice).toHaveTextContent('Notices are not sent. Please call.')
  expect(notice.closest('[role=status]')).not.toBeNull()
  const email = dialog.getByLabelText('Email')
  expect(notice.compareDocumentPosition(email)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  // The emails themselves are not loaded, because each view of them is audited.
  expect(sent()).toEqual([])
})

it('does not say that a veteran cannot be reached if emails arrive', async () => {
  const { dialog } = await openDialog('Edit', 'Maria', {
    replies: { '/admin/users/maria/email-reachable': () => reply(200, { emailReachable: true }) },
  })
  await act(async () => {})
  expect(dialog.queryByText(EMAIL_UNREACHABLE_STAFF)).toBeNull()
})

it('shows that the emails are loading, and when they cannot be loaded', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const { dialog, replies } = await openDialog('Edit', 'Maria', {
    replies: { [EMAILS]: () => promise },
  })
  press('Emails sent')
  expect(await dialog.findByText('Loading the emails…')).toBeInTheDocument()
  await act(async () => resolve(reply(500)))
  expect(await dialog.findByText(getDeliveriesOf.failure)).toBeVisible()
  replies[EMAILS] = () => reply(200, { deliveries: [delivery] })
  press('Try again to load the emails')
  expect(await dialog.findByText(/Came back/)).toBeVisible()
})
