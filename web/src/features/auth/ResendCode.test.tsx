import { CODE_RESENT, resendTooSoon, resendVerificationCode } from '@guidon/contract/auth'
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubNetwork, renderScreen, reply, type Reply } from '../../../test/test-app.tsx'
import { minutesAndSeconds } from '../../ui/countdown.ts'
import { storePending } from './pending-verification.ts'
import { ResendCode } from './ResendCode.tsx'

const PATH = '/auth/resend-verification-code'
const pending = { email: 'james.w@example.com', type: 'signin' }

const link = () => screen.getByRole('button', { name: 'Resend code' })
const waits = () => link().getAttribute('aria-disabled') === 'true'
const seconds = (count: number) => act(() => vi.advanceTimersByTimeAsync(count * 1000))

function open() {
  return renderScreen('/verification-code', <ResendCode pending={pending} />)
}

async function resendWith(resendReply: Reply) {
  const requests = stubNetwork({ [PATH]: resendReply })
  open()
  await seconds(60)
  fireEvent.click(link())
  await act(() => vi.advanceTimersByTimeAsync(0))
  return requests
}

beforeEach(() => {
  vi.useFakeTimers()
  storePending(pending)
})
afterEach(() => vi.useRealTimers())

it('shows the 60-second cooldown as m:ss, then the link', async () => {
  open()
  expect(screen.getByText('1:00')).toBeVisible()
  await seconds(13)
  expect(screen.getByText('0:47')).toBeVisible()
  await seconds(46)
  expect(screen.getByText('0:01')).toBeVisible()
  expect(waits()).toBe(true)
  expect(screen.queryByText('Resend available')).toBeNull()
  await seconds(1)
  expect(waits()).toBe(false)
  expect(screen.getByText('Resend available')).toHaveRole('status')
})

it('continues the countdown after a reload', async () => {
  const page = open()
  await seconds(20)
  page.unmount()
  await seconds(5)
  open()
  expect(screen.getByText('0:35')).toBeVisible()
})

it('shows the banner for 5 seconds after a resend, and starts the cooldown again', async () => {
  const requests = await resendWith(() => reply(202))
  expect(screen.getByText(CODE_RESENT)).toBeVisible()
  expect(screen.getByText('1:00')).toBeVisible()
  expect(requests).toEqual([
    { path: PATH, body: { email: 'james.w@example.com', verificationType: 'login' } },
  ])
  await seconds(4.9)
  expect(screen.getByText(CODE_RESENT)).toBeVisible()
  await seconds(0.2)
  expect(screen.queryByText(CODE_RESENT)).toBeNull()
})

it('shows the failure of a resend, and offers the link again', async () => {
  await resendWith(() => reply(500))
  expect(screen.getByText(resendVerificationCode.failure)).toBeVisible()
  expect(waits()).toBe(false)
})

it('keeps the focus on the link while it waits, and ignores a press', async () => {
  const requests = await resendWith(() => reply(202))
  link().focus()
  expect(waits()).toBe(true)
  fireEvent.click(link())
  await seconds(30)
  expect(link()).toHaveFocus()
  expect(requests).toHaveLength(1)
})

it('never shows more than a minute, although time passes between two readings of the clock', async () => {
  // Every reading of the clock is a millisecond later than the one before.
  let reading = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => (reading += 1))
  open()
  expect(screen.getByText('1:00')).toBeVisible()
})

it('never shows more than a minute after a resend either', async () => {
  stubNetwork({ [PATH]: () => reply(202) })
  open()
  await seconds(60)
  let reading = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => (reading += 1))
  fireEvent.click(link())
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(screen.getByText('1:00')).toBeVisible()
})

it('counts down the wait of a 429', async () => {
  await resendWith(() => reply(429, resendTooSoon, { 'Retry-After': '125' }))
  expect(screen.getByText(resendTooSoon.message)).toBeVisible()
  expect(screen.getByText('2:05')).toBeVisible()
})

it('shows Invalid verification type for an unknown type', async () => {
  renderScreen('/verification-code', <ResendCode pending={{ ...pending, type: 'pigeon' }} />)
  await seconds(60)
  fireEvent.click(link())
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(screen.getByText('Invalid verification type')).toBeVisible()
})

it.each([
  [60, '1:00'],
  [47, '0:47'],
  [5, '0:05'],
  [0, '0:00'],
])('writes %i seconds as %s', (count, text) => {
  expect(minutesAndSeconds(count)).toBe(text)
})

it('requests a code of the type email after a sign-up', async () => {
  const requests = stubNetwork({ [PATH]: () => reply(202) })
  renderScreen('/verification-code', <ResendCode pending={{ ...pending, type: 'signup' }} />)
  await seconds(60)
  fireEvent.click(link())
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(requests).toEqual([
    { path: PATH, body: { email: pending.email, verificationType: 'email' } },
  ])
})
