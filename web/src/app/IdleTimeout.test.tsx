import { noSession } from '@guidon/contract/refusal'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { james as veteran } from '../../test/signed-in.ts'
import { stubNetwork, renderApp, reply, type Reply } from '../../test/test-app.tsx'
import { lastSessionSeen } from '../api/session-seen.ts'
import { TAB_CHANNEL, type TabMessage } from '../api/tab-channel.ts'

const CHECK = '/auth/check-auth'

const dialog = () => screen.queryByRole('alertdialog', { name: 'Are you still there?' })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const atSignIn = () => screen.findByRole('heading', { name: 'Welcome Back' })

let replies: Record<string, Reply>
let requests: ReturnType<typeof stubNetwork>
let otherTab: BroadcastChannel
let received: TabMessage[]

/** Moves the clock at once, as after a computer's sleep, and then lets timers run. */
async function later(minutes: number, seconds = 0): Promise<void> {
  vi.setSystemTime(Date.now() + (minutes * 60 + seconds) * 1000)
  await act(() => vi.advanceTimersByTimeAsync(1000))
}
const checks = () => requests.filter(({ path }) => path === CHECK).length

beforeEach(async () => {
  // Later than any call of earlier test files, which share the module with the time of the last call.
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2030-01-01T12:00:00Z') })
  received = []
  otherTab = new BroadcastChannel(TAB_CHANNEL)
  otherTab.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => received.push(data))
  replies = {
    [CHECK]: () => reply(200, { user: veteran }),
    '/auth/logout': () => {
      replies[CHECK] = () => reply(401)
      return reply(204)
    },
    '/auth/refresh': () => reply(401),
  }
  requests = stubNetwork(replies)
  renderApp('/dashboard/home')
  await screen.findByText('Welcome, James')
  // `IdleTimeout` is a separate chunk. Once loaded, it posts the last activity to other tabs.
  await vi.waitUntil(() => received.length > 0, 60_000)
  requests.length = 0
})
afterEach(() => {
  otherTab.close()
  vi.useRealTimers()
})

it('asks two minutes before the idle limit, with a countdown that screen readers do not announce', async () => {
  await later(27, 50)
  expect(dialog()).toBeNull()
  await later(0, 10)
  expect(dialog()).toHaveAccessibleDescription(/we will sign you out soon/)
  expect(screen.getByRole('timer')).toHaveTextContent(/^1:5\d$/)
  expect(screen.getByRole('timer').closest('[aria-live], output, [role=status]')).toBeNull()
  expect(screen.getByRole('button', { name: 'Stay signed in' })).toHaveFocus()
  await later(0, 60)
  expect(screen.getByRole('timer')).toHaveTextContent(/^0:5\d$/)
})

it('keeps the session by one call on Stay signed in, and closes the dialog', async () => {
  await later(28, 30)
  press('Stay signed in')
  await waitFor(() => expect(dialog()).toBeNull())
  expect(checks()).toBe(1)
  await later(27)
  expect(dialog()).toBeNull()
})

it('shows the failure when the server is unreachable, and keeps counting down', async () => {
  replies[CHECK] = () => reply(503)
  await later(28, 30)
  press('Stay signed in')
  expect(await screen.findByText('Failed to get user info.')).toBeVisible()
  expect(dialog()).toBeVisible()
})

it('logs out on Log out', async () => {
  await later(28, 30)
  press('Log out')
  expect(await atSignIn()).toBeVisible()
  expect(requests[0]?.path).toBe('/auth/logout')
  expect(screen.queryByText(noSession.message)).toBeNull()
})

it('goes to /signin when the time is over, says why, and ends the session', async () => {
  await later(28, 30)
  await later(1, 30)
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(await atSignIn()).toBeVisible()
  expect(screen.getByText(noSession.message)).toBeVisible()
  expect(requests[0]?.path).toBe('/auth/logout')
})

it('goes to /signin after a computer slept for hours', async () => {
  await later(300)
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(await atSignIn()).toBeVisible()
  expect(screen.getByText(noSession.message)).toBeVisible()
})

it('keeps the session of a user who only types, with one call every few minutes', async () => {
  for (let minute = 0; minute < 36; minute += 1) {
    await later(1)
    fireEvent.keyDown(document.body, { key: 'a' })
    fireEvent.pointerMove(document.body)
  }
  expect(dialog()).toBeNull()
  expect(checks()).toBeGreaterThanOrEqual(9)
  expect(checks()).toBeLessThanOrEqual(12)
})

it('ignores mouse and keyboard activity while the dialog is open', async () => {
  await later(28, 30)
  fireEvent.pointerMove(document.body)
  fireEvent.keyDown(document.body, { key: 'Shift' })
  await later(0, 5)
  expect(dialog()).toBeVisible()
  expect(checks()).toBe(0)
})

it('notifies other tabs when the user stays signed in', async () => {
  await later(28, 30)
  received.length = 0
  const before = Date.now()
  press('Stay signed in')
  await waitFor(() => expect(received).toEqual([{ kind: 'seen', at: lastSessionSeen() }]))
  expect(lastSessionSeen()).toBeGreaterThanOrEqual(before)
})

it('closes the dialog when the user stays signed in in another tab', async () => {
  await later(28, 30)
  expect(dialog()).toBeVisible()
  otherTab.postMessage({ kind: 'seen', at: Date.now() } satisfies TabMessage)
  await waitFor(() => expect(dialog()).toBeNull())
})

it('does not sign out after sleep when another tab reports activity', async () => {
  await later(40)
  expect(screen.getByRole('timer')).toHaveTextContent('0:00')
  otherTab.postMessage({ kind: 'seen', at: Date.now() } satisfies TabMessage)
  await waitFor(() => expect(dialog()).toBeNull())
  await later(0, 5)
  expect(screen.getByText('Welcome, James')).toBeVisible()
  expect(requests).toEqual([])
})

it('notifies other tabs when it logs out', async () => {
  press('Log out')
  expect(await atSignIn()).toBeVisible()
  await waitFor(() => expect(received.at(-1)).toEqual({ kind: 'left' }))
})

it('signs out when another tab logs out', async () => {
  replies[CHECK] = () => reply(401)
  otherTab.postMessage({ kind: 'left' } satisfies TabMessage)
  expect(await atSignIn()).toBeVisible()
  expect(requests.map(({ path }) => path)).not.toContain('/auth/logout')
})
