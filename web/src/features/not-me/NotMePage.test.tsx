import { NOT_ME_TOKEN_MAX } from '@guidon/contract/limits'
import { notMeVoid, reportNotMe } from '@guidon/contract/links'
import { screens } from '@guidon/contract/screens'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { renderApp, reply, stubNetwork, type Reply } from '../../../test/test-app.tsx'

const TOKEN = 'b6d0.abc_-1'
const BUTTON = { name: 'Hide the records and sign out' }

function open(fragment = `#${TOKEN}`, answer: Reply = () => reply(204)) {
  const replies: Record<string, Reply> = { [reportNotMe.path]: answer }
  const requests = stubNetwork(replies)
  history.replaceState(history.state, '', screens.notMe + fragment)
  renderApp(screens.notMe + fragment)
  return { replies, requests }
}
const heading = () => screen.findByRole('heading', { level: 1, name: 'This was not me' })

afterEach(() => history.replaceState(null, '', '/'))

it('does nothing before the button is pressed, and removes the token from the address', async () => {
  const { requests } = open()
  expect(await screen.findByRole('button', BUTTON)).toBeVisible()
  expect(await heading()).toBeVisible()
  expect(requests).toEqual([])
  expect(location.hash).toBe('')
  expect(document.title).toBe('This was not me – Guidon')
})

it('hides the records on a press, and says whom to call', async () => {
  const { requests } = open()
  await userEvent.click(await screen.findByRole('button', BUTTON))
  const done = await screen.findByText(/^Done\. The records are hidden/)
  expect(done).toHaveFocus()
  expect(within(done).getByRole('link', { name: '1-800-555-0142' })).toBeVisible()
  expect(requests).toEqual([{ path: reportNotMe.path, body: { token: TOKEN } }])
  expect(screen.queryByRole('button', BUTTON)).toBeNull()
})

it('says that it failed, and tries again', async () => {
  const { replies } = open(undefined, () => reply(500))
  await userEvent.click(await screen.findByRole('button', BUTTON))
  expect(await screen.findByText(reportNotMe.failure)).toBeVisible()
  expect(document.title).toBe('Error: This was not me – Guidon')
  replies[reportNotMe.path] = () => reply(204)
  await userEvent.click(screen.getByRole('button', BUTTON))
  expect(await screen.findByText(/^Done\./)).toBeVisible()
})

it('says that the link is void if the server refuses it', async () => {
  open(undefined, () => reply(422, notMeVoid))
  await userEvent.click(await screen.findByRole('button', BUTTON))
  expect(await screen.findByText(notMeVoid.message)).toBeVisible()
  await waitFor(async () => expect(await heading()).toHaveFocus())
})

it.each([
  ['no token', ''],
  ['an empty token', '#'],
  ['a token with other characters', '#a%20b'],
  ['a token that is too long', `#${'x'.repeat(NOT_ME_TOKEN_MAX + 1)}`],
])('says the same for %s, without a request', async (_, fragment) => {
  const { requests } = open(fragment)
  expect(await screen.findByText(notMeVoid.message)).toBeVisible()
  expect(screen.queryByRole('button', BUTTON)).toBeNull()
  expect(requests).toEqual([])
})
