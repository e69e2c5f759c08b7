import { act, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { stubNetwork, renderScreen, reply, type Reply } from '../../../test/test-app.tsx'
import { CaseManagerCard } from './CaseManagerCard.tsx'

const PATH = '/salesforce/case-manager/me'
const dana = { name: 'Dana Okafor', email: 'dana.okafor@guidon.example', phone: '6195550177' }

function open(caseManagerReply: Reply) {
  const replies = { [PATH]: caseManagerReply }
  stubNetwork(replies)
  renderScreen('/dashboard/home', <CaseManagerCard />)
  return replies
}
const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

function stubClipboard(writeText: (text: string) => Promise<void>): void {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
}

afterEach(() => vi.useRealTimers())

it('shows name, email and phone of the case manager', async () => {
  open(() => reply(200, { caseManager: dana }))
  expect(await screen.findByText('Dana Okafor')).toBeVisible()
  expect(hrefOf(dana.email)).toBe(`mailto:${dana.email}`)
  expect(hrefOf('(619) 555-0177')).toBe('tel:+16195550177')
  expect(screen.queryByText('Awaiting Case Manager')).toBeNull()
})

it('shows Awaiting Case Manager, the information email and the phone when there is none', async () => {
  open(() => reply(200, { caseManager: null }))
  expect(await screen.findByText('Awaiting Case Manager')).toBeVisible()
  expect(hrefOf('info@guidon.example')).toBe('mailto:info@guidon.example')
  expect(hrefOf('1-800-555-0142')).toBe('tel:+18005550142')
})

it('leaves out unknown details of the case manager', async () => {
  open(() => reply(200, { caseManager: { ...dana, email: null, phone: null } }))
  expect(await screen.findByText('Dana Okafor')).toBeVisible()
  expect(screen.queryByRole('link')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
})

it('copies the email, says so on the button and to screen readers, and resets the button later', async () => {
  open(() => reply(200, { caseManager: dana }))
  const copy = await screen.findByRole('button', { name: 'Copy email address' })
  const copied: string[] = []
  stubClipboard(async (text) => void copied.push(text))
  vi.useFakeTimers()
  fireEvent.click(copy)
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(copied).toEqual([dana.email])
  expect(copy).toHaveAccessibleName('Copied email address')
  expect(screen.getByText('The email address is copied.')).toHaveRole('status')
  await act(() => vi.advanceTimersByTimeAsync(3000))
  expect(copy).toHaveAccessibleName('Copy email address')
})

it('says when the browser did not allow copying', async () => {
  open(() => reply(200, { caseManager: dana }))
  const copy = await screen.findByRole('button', { name: 'Copy email address' })
  stubClipboard(() => Promise.reject(new Error('denied')))
  fireEvent.click(copy)
  expect(await screen.findByText(/did not allow copying/)).toBeVisible()
  expect(copy).toHaveAccessibleName('Copy email address')
})

it('shows its own failure, and loads on Try again', async () => {
  const replies = open(() => reply(500))
  expect(await screen.findByText('Failed to get case manager.')).toBeVisible()
  replies[PATH] = () => reply(200, { caseManager: dana })
  await userEvent.click(screen.getByRole('button', { name: 'Try again to load case manager' }))
  expect(await screen.findByText('Dana Okafor')).toBeVisible()
})
