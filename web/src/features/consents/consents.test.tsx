import {
  acceptConsents,
  consentChanged,
  getConsents,
  withdrawConsent,
} from '@guidon/contract/consents'
import { noSession } from '@guidon/contract/refusal'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { james as user } from '../../../test/signed-in.ts'
import { renderApp, reply, stubNetwork, type Reply } from '../../../test/test-app.tsx'

const CONSENTS = '/consents/me'
const due = [
  {
    kind: 'terms',
    version: '2',
    title: 'Terms of Service',
    text: 'I accept the Terms of Service.',
    url: 'https://www.guidon.example/terms',
    changes: 'We may call you on Saturdays.',
    hash: 'a',
  },
]
const feedback = { kind: 'feedback', version: '1', title: 'Questions', text: 'Ask me.', hash: 'b' }
const given = {
  id: '1',
  kind: 'terms',
  version: '1',
  title: 'Terms of Service',
  shown: 'Terms of Service, version 1\nI accept the Terms of Service.',
  acceptedAt: '2026-11-15T09:06:00Z',
  withdrawnAt: null,
  replacedAt: null,
  mayWithdraw: false,
}

function open(path: string, consents: object, replies: Record<string, Reply> = {}) {
  const state = { consents: { due: [], optional: [], given: [], ...consents } }
  const all: Record<string, Reply> = {
    '/auth/check-auth': () =>
      reply(200, { user: { ...user, consentsDue: state.consents.due.length > 0 } }),
    [CONSENTS]: () => reply(200, state.consents),
    ...replies,
  }
  const requests = stubNetwork(all)
  renderApp(path)
  return { state, replies: all, sent: () => requests.filter(({ body }) => body !== undefined) }
}

it('a changed text must be accepted before any other screen, which then opens', async () => {
  const { state, sent } = open('/dashboard/settings', { due })
  const heading = { level: 1, name: 'Our terms have changed' }
  expect(await screen.findByRole('heading', heading)).toHaveFocus()
  expect(screen.getByText(/What is different: We may call you on Saturdays\./)).toBeVisible()
  const accept = screen.getByRole('button', { name: 'Accept and continue' })

  await userEvent.click(accept)
  const box = screen.getByRole('checkbox', { name: /I accept the Terms of Service/ })
  expect(box).toHaveFocus()
  expect(screen.getByText('Please tick this box to go on')).toBeVisible()
  expect(document.title).toBe('Error: Updated Terms – Guidon')
  expect(sent()).toEqual([])

  await userEvent.click(box)
  state.consents = { ...state.consents, due: [] }
  await userEvent.click(accept)
  expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  expect(sent()).toEqual([{ path: CONSENTS, body: { accepted: [{ kind: 'terms', hash: 'a' }] } }])
})

it('the page of changed texts leads home when nothing has changed', async () => {
  open('/updated-terms', {})
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome, James' })).toBeVisible()
})

it('Settings show what the veteran agreed to, and when', async () => {
  const ended = { ...given, id: '2', version: '0', replacedAt: '2026-11-15T09:06:00Z' }
  open('/dashboard/settings', { given: [given, ended] })
  const section = within(await screen.findByRole('region', { name: 'Your agreements' }))
  const [current, replaced] = await section.findAllByRole('listitem')
  expect(current).toHaveTextContent(/Terms of Service, version 1.*Accepted November 15, 2026/)
  expect(current).toHaveTextContent('I accept the Terms of Service.')
  expect(replaced).toHaveTextContent(/Replaced November 15, 2026/)
  expect(section.queryByRole('button')).toBeNull()
})

it('an optional agreement can be given and withdrawn in Settings', async () => {
  const { state } = open(
    '/dashboard/settings',
    { optional: [feedback] },
    { '/consents/me/feedback': () => reply(204) },
  )
  const agreed = { ...given, kind: 'feedback', title: 'Questions', mayWithdraw: true }
  const agree = await screen.findByRole('button', { name: 'Agree to Questions' })
  state.consents = { ...state.consents, optional: [], given: [agreed] } as never
  await userEvent.click(agree)
  expect(screen.getByRole('heading', { name: 'Your agreements' })).toHaveFocus()
  const status = screen.getByText('You agreed to Questions.').closest('[role=status]')
  const withdraw = { name: 'Withdraw your agreement to Questions' }
  const button = await screen.findByRole('button', withdraw)
  state.consents = { ...state.consents, optional: [feedback], given: [] } as never
  await userEvent.click(button)
  expect(await screen.findByRole('button', { name: 'Agree to Questions' })).toBeVisible()
  expect(status).toHaveTextContent('You withdrew your agreement to Questions.')
})

it('an agreement whose withdrawal was saved without a response is shown as withdrawn', async () => {
  const agreed = { ...given, kind: 'feedback', title: 'Questions', mayWithdraw: true }
  const { state, replies } = open('/dashboard/settings', { given: [agreed] })
  const button = { name: 'Withdraw your agreement to Questions' }
  replies['/consents/me/feedback'] = () => reply(500)
  await userEvent.click(await screen.findByRole('button', button))
  expect(await screen.findByText(withdrawConsent.failure)).toBeVisible()

  replies['/consents/me/feedback'] = () => Promise.reject(new TypeError('Failed to fetch'))
  const withdrawn = { ...agreed, withdrawnAt: '2026-11-16T09:06:00Z', mayWithdraw: false }
  state.consents = { ...state.consents, given: [withdrawn] } as never
  await userEvent.click(screen.getByRole('button', button))
  expect(await screen.findByText(/Withdrawn November 16, 2026/)).toBeVisible()
  expect(screen.queryByRole('button', button)).toBeNull()
  expect(screen.queryByText(withdrawConsent.failure, { exact: false })).toBeNull()
})

describe('the page of changed texts', () => {
  const heading = { level: 1, name: 'Our terms have changed' }
  const tickAndAccept = async () => {
    await userEvent.click(await screen.findByRole('checkbox'))
    await userEvent.click(screen.getByRole('button', { name: 'Accept and continue' }))
  }

  it('says that the texts cannot be loaded, and that it tries again', async () => {
    const { replies } = open('/updated-terms', { due })
    const read = replies[CONSENTS] as Reply
    replies[CONSENTS] = () => reply(500)
    expect(await screen.findByText(getConsents.failure)).toHaveRole('alert')
    const { promise, resolve } = Promise.withResolvers<Response>()
    replies[CONSENTS] = () => promise
    const tryAgain = screen.getByRole('button', { name: 'Try again' })
    await userEvent.click(tryAgain)
    expect(tryAgain).toHaveAttribute('aria-busy', 'true')
    await act(async () => resolve(reply(500)))
    await waitFor(() => expect(tryAgain).toHaveAttribute('aria-busy', 'false'))
    expect(screen.getByText(getConsents.failure)).toHaveRole('alert')
    replies[CONSENTS] = read
    await userEvent.click(tryAgain)
    expect(await screen.findByRole('heading', heading)).toBeVisible()
  })

  it('shows a text that changed meanwhile, with a box to tick again', async () => {
    const { state, replies } = open('/updated-terms', { due })
    const read = replies[CONSENTS] as Reply
    await screen.findByRole('heading', heading)
    state.consents.due = [{ ...due[0], version: '3', hash: 'c' }] as never
    replies[CONSENTS] = () => {
      replies[CONSENTS] = read
      return reply(409, consentChanged)
    }
    await tickAndAccept()
    expect(await screen.findByText(consentChanged.message)).toBeVisible()
    expect(await screen.findByText(/Version 3/)).toBeVisible()
    expect(screen.getByRole('checkbox')).not.toBeChecked()
  })

  it('goes on if the consent was saved although the request failed', async () => {
    const { state, replies } = open('/updated-terms', { due })
    const read = replies[CONSENTS] as Reply
    await screen.findByRole('heading', heading)
    replies[CONSENTS] = () => reply(500)
    await tickAndAccept()
    expect(await screen.findByText(acceptConsents.failure)).toBeVisible()
    expect(document.title).toBe('Error: Updated Terms – Guidon')
    state.consents.due = []
    replies[CONSENTS] = () => {
      replies[CONSENTS] = read
      return Promise.reject(new TypeError('Failed to fetch'))
    }
    await userEvent.click(screen.getByRole('button', { name: 'Accept and continue' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome, James' })).toBeVisible()
  })

  it('leads to the sign-in if the session has ended', async () => {
    const { replies } = open('/updated-terms', { due })
    await screen.findByRole('heading', heading)
    const ended = () => reply(401, noSession)
    Object.assign(replies, {
      '/auth/check-auth': ended,
      '/auth/refresh': ended,
      [CONSENTS]: ended,
    })
    await tickAndAccept()
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible()
  })
})
