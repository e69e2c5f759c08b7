import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubNetwork, renderScreen, reply, type Reply } from '../../../test/test-app.tsx'
import { RequestContact } from './RequestContact.tsx'

const PATH = '/salesforce/request-contact/me'

const dialog = () => screen.queryByRole('dialog', { name: 'Request Contact' })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const choose = (name: string) => fireEvent.click(screen.getByRole('radio', { name }))
const advanceSeconds = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))

function open(contactReply: Reply) {
  const replies = { [PATH]: contactReply }
  const requests = stubNetwork(replies)
  renderScreen('/dashboard/home', <RequestContact />)
  press('Request Contact')
  // The same path also reads the latest request.
  const sent = () => requests.filter(({ body }) => body !== undefined)
  return { sent, replies }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it.each([
  ['Phone', 'Call', 'phone'],
  ['Email', 'Email', 'email'],
])(
  'sends the choice %s as the method %s, says so, and closes 2 seconds later',
  async (label, method, by) => {
    const { sent } = open(() => reply(202))
    choose(label)
    press('Send Request')
    await advanceSeconds(0)
    expect(sent()).toEqual([{ path: PATH, body: { method } }])
    const sentence = `Your request for contact via ${by} has been sent.`
    expect(screen.getByText(sentence)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Close' })).toHaveFocus()
    await advanceSeconds(1.9)
    expect(dialog()).toBeVisible()
    await advanceSeconds(0.2)
    await advanceSeconds(1)
    expect(dialog()).toBeNull()
    expect(screen.getByText(sentence).closest('[role=status]')).toBeVisible()
  },
)

it('sends one request for several presses of the button', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const { sent } = open(() => promise)
  choose('Phone')
  const send = screen.getByRole('button', { name: 'Send Request' })
  act(() => {
    send.click()
    send.click()
  })
  await advanceSeconds(0)
  press('Send Request')
  resolve(reply(202))
  await advanceSeconds(0)
  expect(sent()).toHaveLength(1)
})

it('stays open while sending', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  open(() => promise)
  choose('Phone')
  press('Send Request')
  await advanceSeconds(0)
  press('Cancel')
  fireEvent.keyDown(dialog()!, { key: 'Escape' })
  await advanceSeconds(1)
  expect(dialog()).toBeVisible()
  resolve(reply(202))
  await advanceSeconds(0)
  expect(screen.getByText('Your request for contact via phone has been sent.')).toBeVisible()
})

it('shows a failure, and can be sent again', async () => {
  const { sent, replies } = open(() => reply(500))
  choose('Email')
  press('Send Request')
  await advanceSeconds(0)
  expect(screen.getByText('Failed to request contact.')).toBeVisible()
  await advanceSeconds(5)
  expect(dialog()).toBeVisible()
  replies[PATH] = () => reply(202)
  press('Send Request')
  await advanceSeconds(0)
  expect(screen.queryByText('Failed to request contact.')).toBeNull()
  expect(screen.getByText('Your request for contact via email has been sent.')).toBeVisible()
  expect(sent()).toHaveLength(2)
})

it('requires a choice', async () => {
  const { sent } = open(() => reply(202))
  press('Send Request')
  await advanceSeconds(0)
  expect(screen.getByRole('radiogroup')).toHaveAccessibleDescription(
    'Please choose Phone or Email.',
  )
  expect(screen.getByRole('radio', { name: 'Phone' })).toHaveFocus()
  expect(sent()).toEqual([])
})

it('starts empty each time it is opened', async () => {
  open(() => reply(500))
  choose('Email')
  press('Send Request')
  await advanceSeconds(0)
  press('Cancel')
  await advanceSeconds(1)
  press('Request Contact')
  expect(screen.queryByText('Failed to request contact.')).toBeNull()
  expect(screen.getByRole('radio', { name: 'Email' })).not.toBeChecked()
})

it('shows how to reach the provider', () => {
  open(() => reply(202))
  const hrefs = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(hrefs).toEqual(['tel:+18005550142', 'mailto:info@guidon.example'])
})

it.each([
  ['Call', 'You asked for a call on November 15.'],
  ['Email', 'You asked for an email on November 15.'],
])('says after a reload that contact by %s was requested', async (method, sentence) => {
  const request = { method, requestedAt: '2026-11-15T12:00:00.000Z' }
  open(() => reply(200, { request }))
  await advanceSeconds(0)
  expect(screen.getByText(sentence)).toBeInTheDocument()
})

it('says nothing about an earlier request that could not be loaded', async () => {
  open(() => reply(503))
  await advanceSeconds(0)
  expect(screen.queryByText(/You asked for/)).toBeNull()
})
