import type { SignedInUser } from '@guidon/contract/account'
import { login, signInAgain, verifyLogin, wrongCredentials } from '@guidon/contract/auth'
import {
  LINK_OBSTACLES,
  LINK_QUESTIONS,
  linkGone,
  linkImpossible,
  listLinksToConfirm,
} from '@guidon/contract/links'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { james } from '../../../../test/signed-in.ts'
import { renderApp, reply, stubNetwork, type Reply } from '../../../../test/test-app.tsx'
import { NO_LINKS, WHY } from './link-texts.ts'
import { listedLink, sampleLink } from './sample-links.ts'

const tom: SignedInUser = {
  ...james,
  role: 'STAFF',
  email: 'tom.becker@guidon.example',
  firstName: 'Tom',
  lastName: 'Becker',
}
const LIST = '/admin/links'
const LINK = '/admin/links/l1'
const DECISION = '/admin/links/l1/decision'

function open(path: string, given: Record<string, Reply> = {}) {
  const replies: Record<string, Reply> = {
    '/auth/check-auth': () => reply(200, { user: tom }),
    [LIST]: () => reply(200, { links: [], total: 0 }),
    [LINK]: () => reply(200, sampleLink()),
    ...given,
  }
  const requests = stubNetwork(replies)
  renderApp(path)
  const sent = (to: string) => requests.filter((one) => one.path === to).map(({ body }) => body)
  return { replies, sent }
}
const openList = (links: object[], total = links.length) =>
  open('/admin-dashboard/links', { [LIST]: () => reply(200, { links, total }) })
const openLink = (link = sampleLink(), given: Record<string, Reply> = {}) =>
  open('/admin-dashboard/links/l1', { [LINK]: () => reply(200, link), ...given })

const findChoice = (name: string) => screen.findByRole('radio', { name })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const why = () => screen.getByRole('textbox', { name: 'Why? (kept in the history)' })
const giveReason = (text = 'Called them.') => fireEvent.change(why(), { target: { value: text } })

async function confirm(reason?: string) {
  fireEvent.click(await findChoice('Yes, link them'))
  giveReason(reason)
  press('Confirm the link')
}

it('lists who waits, why and since when, with a link to decide', async () => {
  openList(
    [listedLink(), listedLink({ id: 'l2', contactName: null, question: 'contactGone' })],
    250,
  )
  const [first, second] = within(
    await screen.findByRole('list', { name: 'Links to confirm' }),
  ).getAllByRole('listitem')
  expect(first).toHaveTextContent('Robert Santiagorobert@example.com')
  expect(first).toHaveTextContent(`Contact: Roberto Santiago. ${WHY.differs}`)
  expect(first).toHaveTextContent(/Since November 18/)
  expect(within(first!).getByRole('link', { name: /^Decide/ })).toHaveAttribute(
    'href',
    '/admin-dashboard/links/l1',
  )
  expect(second).toHaveTextContent('Contact is deleted in Salesforce, or merged into')
  expect(screen.getByText('Showing the oldest 2 of 250.')).toBeVisible()
  expect(document.title).toBe('Links to confirm – Guidon')
})

it('says that nothing waits, or that the list cannot be loaded', async () => {
  openList([])
  expect(await screen.findByText(NO_LINKS)).toBeVisible()
  cleanup()
  open('/admin-dashboard/links', { [LIST]: () => reply(500) })
  expect(await screen.findByText(listLinksToConfirm.failure)).toBeVisible()
  expect(screen.getByRole('button', { name: /^Try again/ })).toBeVisible()
})

it('compares both sides in words, and never shows a preselected decision', async () => {
  openLink()
  const rows = within(await screen.findByRole('list', { name: 'Account and contact' }))
  const texts = rows.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(texts).toEqual([
    'Last nameSameAccountSantiagoContactSantiago',
    'First nameDifferentAccountRobertContactRoberto',
    expect.stringMatching(/^EmailDifferentAccountrobert@example\.comVerified November 15/),
    'PhoneDifferentAccount(407) 555-0105Contact(407) 555-0199',
    'StateSameAccountFloridaContactFL',
    'Box folderMissingAccount281190440995ContactNone',
    expect.stringMatching(/^Other linksNo conflict.*No other account has or had this contact$/),
  ])
  expect(screen.getByText('2 the same, 3 different, 1 missing.')).toBeVisible()
  expect(screen.getByRole('link', { name: /^Roberto Santiago/ })).toHaveAttribute(
    'href',
    'https://crm.example/0035e00001NewAA1',
  )
  for (const radio of screen.getAllByRole('radio')) expect(radio).not.toBeChecked()
  press('Save the decision')
  expect(await screen.findByText('Please choose one.')).toBeVisible()
  expect(screen.getAllByRole('radio')[0]).toHaveFocus()
  expect(document.title).toBe('Error: Is this the same person? – Guidon')
})

it('names the number of the contact, never that of the account, and keeps the link on the list', async () => {
  const { sent } = openLink()
  fireEvent.click(await findChoice('I cannot tell yet'))
  const form = within(screen.getByRole('radiogroup').closest('form')!)
  expect(form.getByRole('link', { name: '(407) 555-0199' })).toBeVisible()
  expect(form.queryByText(/555-0105/)).toBeNull()
  press('Leave it on the list')
  expect(await screen.findByText(NO_LINKS)).toBeVisible()
  expect(sent(DECISION)).toEqual([])
})

it('asks why, saves the decision, and says so on the list', async () => {
  const { sent } = openLink(undefined, { [DECISION]: () => reply(204) })
  fireEvent.click(await findChoice('No, different people'))
  giveReason(' x ')
  press('Save the decision')
  await waitFor(() => expect(why()).toHaveAccessibleDescription(/^Write why/))
  expect(why()).toHaveFocus()
  giveReason('Called them.\nAnother birthday.')
  press('Save the decision')
  expect(await screen.findByText('The link is refused.')).toBeVisible()
  expect(sent(DECISION)).toEqual([{ decision: 'refuse', reason: 'Called them. Another birthday.' }])
  expect(screen.getByRole('heading', { level: 1, name: 'Links to confirm' })).toHaveFocus()
})

it('signs in again when the server asks for it, and then sends the same decision', async () => {
  const { sent, replies } = openLink(undefined, {
    [DECISION]: () => reply(409, signInAgain),
    [login.path]: () => reply(400, wrongCredentials),
    [verifyLogin.path]: () => reply(200, { user: { role: 'STAFF' } }),
  })
  await confirm()
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign in again' }))
  expect(dialog.getByLabelText('Email')).toHaveValue(tom.email)
  expect(dialog.getByLabelText('Email')).toHaveAttribute('readonly')
  const password = dialog.getByLabelText('Password')
  await waitFor(() => expect(password).toHaveFocus())
  fireEvent.change(password, { target: { value: 'Harbor-Lantern-42!' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Continue' }))
  expect(await dialog.findByText(wrongCredentials.message)).toBeVisible()
  replies[login.path] = () => reply(204)
  fireEvent.click(dialog.getByRole('button', { name: 'Continue' }))
  const digit = await dialog.findByLabelText('Digit 1 of 6')
  expect(digit).toHaveFocus()
  fireEvent.input(digit, { target: { value: '123456' } })
  replies[DECISION] = () => reply(204)
  fireEvent.click(dialog.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByText('The link is confirmed.')).toBeVisible()
  expect(sent(login.path).at(-1)).toEqual({ email: tom.email, password: 'Harbor-Lantern-42!' })
  expect(sent(verifyLogin.path)).toEqual([{ email: tom.email, code: '123456' }])
  const decision = { decision: 'confirm', reason: 'Called them.' }
  expect(sent(DECISION)).toEqual([decision, decision])
})

it('keeps what was typed when signing in again is cancelled', async () => {
  openLink(undefined, { [DECISION]: () => reply(409, signInAgain) })
  await confirm('He named his case manager.')
  const dialog = await screen.findByRole('dialog', { name: 'Sign in again' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(dialog).not.toBeInTheDocument())
  expect(why()).toHaveValue('He named his case manager.')
  expect(screen.getByRole('radio', { name: 'Yes, link them' })).toBeChecked()
  expect(screen.queryByText(signInAgain.message)).toBeNull()
})

it('says that a temporary password must be replaced first', async () => {
  openLink(undefined, {
    [DECISION]: () => reply(409, signInAgain),
    [login.path]: () => reply(204),
    [verifyLogin.path]: () => reply(200, { user: { role: 'STAFF' }, resetToken: 'r1' }),
  })
  await confirm()
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign in again' }))
  fireEvent.change(dialog.getByLabelText('Password'), { target: { value: 'temporary1' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Continue' }))
  fireEvent.input(await dialog.findByLabelText('Digit 1 of 6'), { target: { value: '123456' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Confirm' }))
  expect(await dialog.findByText(/must set a new password first/)).toBeVisible()
  expect(dialog.getByRole('link', { name: 'Set a new password' })).toHaveAttribute(
    'href',
    '/reset-password?token=r1',
  )
})

it('says that somebody else has decided, with a way back', async () => {
  openLink(undefined, { [DECISION]: () => reply(409, linkGone) })
  await confirm()
  const alert = (await screen.findByText(linkGone.message, { exact: false })).closest('[role]')!
  expect(alert).toHaveAttribute('role', 'alert')
  const back = within(alert as HTMLElement).getByRole('link', { name: 'Back to Links to confirm' })
  expect(back).toHaveAttribute('href', '/admin-dashboard/links')
  cleanup()
  openLink(sampleLink({ question: null }))
  expect(await screen.findByText(linkGone.message)).toBeVisible()
  expect(screen.queryByRole('radio')).toBeNull()
})

it.each(LINK_OBSTACLES)(
  'says why a link is impossible, and does not offer it: %s',
  async (obstacle) => {
    const contact = obstacle === 'contactGone' ? { contact: null } : {}
    openLink(sampleLink({ obstacle, ...contact }))
    expect(await screen.findByText(linkImpossible(obstacle).message)).toBeVisible()
    expect(screen.getByRole('link', { name: /in Manage Users$/ })).toHaveAttribute(
      'href',
      '/admin-dashboard?q=robert%40example.com',
    )
    const names = screen.getAllByRole('radio').map((radio) => radio.getAttribute('aria-labelledby'))
    expect(names.map((id) => document.getElementById(id!)!.textContent)).toEqual([
      'No, do not link them',
      'I cannot tell yet',
    ])
  },
)

it.each([
  ['differs', 'Yes, link them', /stays without this contact\. Next, look/],
  ['merged', 'Yes, the same person', /loses this contact and gets a new, empty contact/],
  ['moved', 'Yes, the same person', /loses this contact/],
  ['ruleChanged', 'Yes, the same person', /loses this contact/],
  ['notMe', 'Yes, the same person', /loses this contact/],
] as const)('says what yes and no do for %s', async (question, yes, no) => {
  openLink(sampleLink({ question, isLive: question !== 'differs' && question !== 'notMe' }))
  expect(await findChoice(yes)).toBeVisible()
  expect(await findChoice('No, different people')).toHaveAccessibleDescription(no)
})

it('says that the account of a merged contact gets a new one, and that records wait', async () => {
  const fromContactId = '0035e00001OldAA1'
  openLink(sampleLink({ fromContactId, heldRecords: 3 }))
  expect(await screen.findByText(/^Two contacts were merged in Salesforce\./)).toBeVisible()
  expect(screen.getByText(/3 records wait for your decision\./)).toBeVisible()
  expect(await findChoice('No, different people')).toHaveAccessibleDescription(
    /gets a new, empty contact of its own/,
  )
})

it('has a sentence for each question', () => {
  expect(Object.keys(WHY).toSorted()).toEqual(LINK_QUESTIONS.toSorted())
})
