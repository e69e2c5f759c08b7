import type { SignedInUser } from '@guidon/contract/account'
import { noSession } from '@guidon/contract/refusal'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { network, renderApp, reply, type Reply } from '../../test/test-app.tsx'
import { lastSessionSeen } from '../api/session-seen.ts'
import { TABS, type TabMessage } from './tabs.ts'

const veteran: SignedInUser = {
  role: 'USER',
  email: 'james.whitfield@example.com',
  firstName: 'James',
  lastName: 'Whitfield',
  phone: '6195550134',
}
const CHECK = '/auth/check-auth'

const dialog = () => screen.queryByRole('alertdialog', { name: 'Are you still there?' })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const atSignIn = () => screen.findByRole('heading', { name: 'Welcome Back' })

let replies: Record<string, Reply>
let made: ReturnType<typeof network>
let otherTab: BroadcastChannel
let heard: TabMessage[]

/** The clock jumps, as for a computer that slept, and the timers get their turn. */
async function later(minutes: number, seconds = 0): Promise<void> {
  vi.setSystemTime(Date.now() + (minutes * 60 + seconds) * 1000)
  await act(() => vi.advanceTimersByTimeAsync(1000))
}
const checks = () => made.filter(({ path }) => path === CHECK).length

beforeEach(async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  heard = []
  otherTab = new BroadcastChannel(TABS)
  otherTab.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => heard.push(data))
  replies = { [CHECK]: () => reply(200, { user: veteran }), '/auth/logout': () => reply(204) }
  made = network(replies)
  renderApp('/dashboard/home')
  await screen.findByText('Welcome, James', {}, { timeout: 5000 })
  // Its own part of the code: once it is there, it tells the others what it knows.
  await vi.waitUntil(() => heard.length > 0)
  made.length = 0
})
afterEach(() => {
  otherTab.close()
  vi.useRealTimers()
})

it('asks two minutes before the idle limit, with a countdown that is not read each second', async () => {
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

it('stays when asked to, by one call, and closes', async () => {
  await later(28, 30)
  press('Stay signed in')
  await waitFor(() => expect(dialog()).toBeNull())
  expect(checks()).toBe(1)
  await later(27)
  expect(dialog()).toBeNull()
})

it('says so when the server cannot be asked, and goes on counting', async () => {
  replies[CHECK] = () => reply(503)
  await later(28, 30)
  press('Stay signed in')
  expect(await screen.findByText('Failed to get user info.')).toBeVisible()
  expect(dialog()).toBeVisible()
})

it('logs out when asked to', async () => {
  await later(28, 30)
  press('Log out')
  expect(await atSignIn()).toBeVisible()
  expect(made.at(-1)?.path).toBe('/auth/logout')
  expect(screen.queryByText(noSession.message)).toBeNull()
})

it('leads to /signin at the end of the time, says why, and ends the session', async () => {
  await later(28, 30)
  await later(1, 30)
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(await atSignIn()).toBeVisible()
  expect(screen.getByText(noSession.message)).toBeVisible()
  expect(made.map(({ path }) => path)).toEqual(['/auth/logout'])
})

it('shows the right thing to a computer that slept for hours', async () => {
  await later(300)
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(await atSignIn()).toBeVisible()
  expect(screen.getByText(noSession.message)).toBeVisible()
})

it('keeps the session of someone who only types, with one call in some minutes', async () => {
  for (let minute = 0; minute < 36; minute += 1) {
    await later(1)
    fireEvent.keyDown(document.body, { key: 'a' })
    fireEvent.pointerMove(document.body)
  }
  expect(dialog()).toBeNull()
  expect(checks()).toBeGreaterThanOrEqual(9)
  expect(checks()).toBeLessThanOrEqual(12)
})

it('does not take a touch of the mouse for an answer once it has asked', async () => {
  await later(28, 30)
  fireEvent.pointerMove(document.body)
  fireEvent.keyDown(document.body, { key: 'Shift' })
  await later(0, 5)
  expect(dialog()).toBeVisible()
  expect(checks()).toBe(0)
})

it('tells the other tabs that someone stays', async () => {
  await later(28, 30)
  heard.length = 0
  const before = Date.now()
  press('Stay signed in')
  await waitFor(() => expect(heard).toEqual([{ kind: 'seen', at: lastSessionSeen() }]))
  expect(lastSessionSeen()).toBeGreaterThanOrEqual(before)
})

it('closes when someone stays in another tab', async () => {
  await later(28, 30)
  expect(dialog()).toBeVisible()
  otherTab.postMessage({ kind: 'seen', at: Date.now() } satisfies TabMessage)
  await waitFor(() => expect(dialog()).toBeNull())
})

it('does not leave when it wakes and then hears that another tab was in use', async () => {
  await later(40)
  expect(screen.getByRole('timer')).toHaveTextContent('0:00')
  otherTab.postMessage({ kind: 'seen', at: Date.now() } satisfies TabMessage)
  await waitFor(() => expect(dialog()).toBeNull())
  await later(0, 5)
  expect(screen.getByText('Welcome, James')).toBeVisible()
  expect(made).toEqual([])
})

it('tells the other tabs when it logs out', async () => {
  press('Log out')
  expect(await atSignIn()).toBeVisible()
  await waitFor(() => expect(heard.at(-1)).toEqual({ kind: 'left' }))
})

it('follows another tab that logs out', async () => {
  otherTab.postMessage({ kind: 'left' } satisfies TabMessage)
  expect(await atSignIn()).toBeVisible()
  expect(made).toEqual([])
})
