import { linkImpossible } from '@guidon/contract/links'
import { contactUnknown, USER_UPDATED } from '@guidon/contract/manage-users'
import { screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { reply, type Reply } from '../../../../test/test-app.tsx'
import {
  advanceSeconds,
  maria,
  openDialog,
  press,
  typeInto,
} from '../../../../test/user-dialog.tsx'
import { listedLink, sampleSides } from './sample-links.ts'

const ID = '0035e00001NewAA'
const SAVE = '/admin/users/maria'
const PREVIEW = `${SAVE}/contact?salesforceId=${ID}`
const WAITS =
  'This contact differs from the account. After Save, the link waits in Links to confirm.'

const preview = (values: Parameters<typeof sampleSides>[0] = {}, asks: boolean | null = true) =>
  reply(200, { ...sampleSides(values), asks })

async function typeId(replies: Record<string, Reply>) {
  const opened = await openDialog('Edit', 'Maria', { replies })
  typeInto('Salesforce ID', ID)
  return opened
}

afterEach(() => vi.useRealTimers())

it('shows whose contact a typed ID is, and that the link will wait', async () => {
  const asked = vi.fn<Reply>(() => preview())
  const { dialog } = await typeId({ [PREVIEW]: asked })
  const rows = await dialog.findByRole('list', { name: 'Account and contact' })
  expect(rows).toHaveTextContent('EmailDifferentAccountrobert@example.com')
  expect(rows).not.toHaveTextContent('Box folder')
  expect(dialog.getByRole('link', { name: /^Roberto Santiago/ })).toBeVisible()
  expect(dialog.getByText(WAITS)).toBeVisible()
  expect(dialog.getByRole('button', { name: 'Save' })).toBeEnabled()
  typeInto('Salesforce ID', `${ID}x`)
  expect(dialog.queryByRole('list', { name: 'Account and contact' })).toBeNull()
  expect(asked).toHaveBeenCalledOnce()
})

it('says when a contact cannot be linked, or whose it was', async () => {
  const otherAccount = { name: 'Linda Chow', email: 'linda@example.com', now: true }
  const { dialog } = await typeId({
    [PREVIEW]: () => preview({ otherAccount, obstacle: 'linkedElsewhere' }, null),
  })
  const text = await dialog.findByText(linkImpossible('linkedElsewhere').message)
  expect(text.closest('[role=alert]')).not.toBeNull()
  expect(dialog.getByText('Belongs to Linda Chow (linda@example.com).')).toBeVisible()
  expect(dialog.queryByText(/After Save/)).toBeNull()
})

it('says that there is no such contact', async () => {
  const { dialog } = await typeId({ [PREVIEW]: () => reply(422, contactUnknown) })
  expect(await dialog.findByText(contactUnknown.message)).toBeVisible()
})

it('asks only for an ID that is changed and complete', async () => {
  const asked = vi.fn<Reply>(() => preview())
  const at = (id: string) => `${SAVE}/contact?salesforceId=${id}`
  const incomplete = '0035e00001New'
  await openDialog('Edit', 'Maria', {
    replies: { [at(incomplete)]: asked, [at(maria.salesforceId!)]: asked },
  })
  vi.useFakeTimers({ shouldAdvanceTime: true })
  for (const id of [incomplete, maria.salesforceId!]) {
    typeInto('Salesforce ID', id)
    await advanceSeconds(1)
  }
  expect(asked).not.toHaveBeenCalled()
})

it('does not claim after Save that the account is linked while the link waits', async () => {
  const links = [listedLink()]
  const { dialog } = await typeId({
    [SAVE]: () => reply(200, maria),
    '/admin/links': () => reply(200, { links, total: 1 }),
  })
  vi.useFakeTimers({ shouldAdvanceTime: true })
  press('Save')
  const link = await dialog.findByRole('link', { name: 'Links to confirm' })
  expect(link.parentElement).toHaveTextContent('Saved. The link waits in Links to confirm.')
  expect(link).toHaveAttribute('href', '/admin-dashboard/links')
  expect(screen.queryByText(USER_UPDATED)).toBeNull()
  await advanceSeconds(3)
  expect(screen.getByRole('dialog', { name: 'Edit User' })).toBeVisible()
  press('Close')
  await advanceSeconds(1)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByRole('link', { name: 'Links to confirm 1 waiting' })).toBeVisible()
  expect(screen.queryByText(USER_UPDATED)).toBeNull()
})

it('says that the account is updated if the link is made at once', async () => {
  await typeId({ [SAVE]: () => reply(200, { ...maria, salesforceId: `${ID}ABC` }) })
  press('Save')
  expect(await screen.findByText(USER_UPDATED)).toBeVisible()
})
