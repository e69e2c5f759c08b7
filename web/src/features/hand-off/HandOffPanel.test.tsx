import type { HandOff } from '@guidon/contract/hand-off'
import { useQueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { james } from '../../../test/signed-in.ts'
import { renderScreen, reply, stubNetwork, type Reply } from '../../../test/test-app.tsx'
import { HandOffPanel, type HandOffPanelProps } from './HandOffPanel.tsx'

const CREATE = '/hand-offs/me'
const STATE = '/hand-offs/me/h1'
const waiting: HandOff = { state: 'waiting', pages: 0, secondsLeft: 890, documentId: null }
const heading = () => screen.getByRole('heading', { name: 'Use your phone’s camera' })
const code = () => screen.queryByRole('img', { name: 'Code to scan with your phone' })

/** Refetches every query, as Home does with the queries of a case that has changed. */
function ReadAgain() {
  const client = useQueryClient()
  return <button onClick={() => void client.invalidateQueries()}>Read again</button>
}

const advance = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))

async function open(props: Partial<HandOffPanelProps> = {}, createReply?: Reply) {
  let number = 0
  const replies: Record<string, Reply> = {
    [CREATE]:
      createReply ??
      (() => reply(201, { id: `h${++number}`, token: 'a'.repeat(43), secondsLeft: 900 })),
    [STATE]: () => reply(200, waiting),
  }
  const requests = stubNetwork(replies)
  const onBack = vi.fn<() => void>()
  const onArrived = vi.fn<() => Promise<void>>().mockResolvedValue()
  const { unmount } = renderScreen(
    '/dashboard/home',
    <>
      <HandOffPanel
        request={{ id: 'r1', type: 'DD Form 214' }}
        categories={['DD Form 214', 'Other']}
        onBack={onBack}
        onArrived={onArrived}
        onPhotosChange={() => {}}
        {...props}
      />
      <ReadAgain />
    </>,
  )
  await advance(0)
  const pollReturns = async (state: Partial<HandOff>) => {
    replies[STATE] = () => reply(200, { ...waiting, ...state })
    await advance(2)
  }
  return { requests, replies, pollReturns, onBack, onArrived, unmount }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('shows the code for the request, and then each step of the phone until the document is there', async () => {
  const { requests, pollReturns, onArrived } = await open()
  expect(requests[0]).toEqual({
    path: CREATE,
    body: { documentType: 'DD Form 214', documentId: 'r1' },
  })
  expect(heading()).toHaveFocus()
  expect(code()).toBeVisible()
  expect(screen.getByText('Waiting for your phone.').closest('[role=status]')).not.toBeNull()
  expect(screen.getByRole('timer')).toHaveTextContent('15:00')
  await pollReturns({ state: 'connected' })
  expect(screen.getByText('Your phone is connected. Take the photos there.')).toBeVisible()
  expect(code()).toBeNull()
  await pollReturns({ state: 'connected', pages: 3 })
  expect(screen.getByText('Your phone is connected. It has 3 photos.')).toBeVisible()
  await pollReturns({ state: 'sending', pages: 3 })
  expect(screen.getByText('Your phone is sending the document.')).toBeVisible()
  await pollReturns({ state: 'arrived', pages: 3, documentId: 'd1' })
  expect(onArrived).toHaveBeenCalledExactlyOnceWith('d1')
  const count = requests.length
  await advance(10)
  expect(requests).toHaveLength(count)
})

it('asks for a category first if the document was not requested', async () => {
  const { requests } = await open({ request: undefined })
  fireEvent.click(screen.getByRole('button', { name: 'Show the code' }))
  expect(screen.getByText('Please select a category for each file.')).toBeVisible()
  expect(requests).toEqual([])
  fireEvent.change(screen.getByRole('combobox', { name: 'Category' }), {
    target: { value: 'Other' },
  })
  fireEvent.click(screen.getByRole('button', { name: 'Show the code' }))
  await advance(0)
  expect(requests[0]?.body).toEqual({ documentType: 'Other' })
  expect(heading()).toHaveFocus()
  expect(code()).toBeVisible()
})

it.each<[string, Reply, string]>([
  [
    'has expired',
    () => reply(200, { ...waiting, state: 'expired', secondsLeft: 0 }),
    'The time for this code is over.',
  ],
  ['was ended in another tab', () => reply(404), 'This code no longer works.'],
])('offers a new code when the code %s', async (_, state, text) => {
  const { requests, replies } = await open()
  replies[STATE] = state
  await advance(2)
  expect(screen.getByText(text, { exact: false })).toBeVisible()
  expect(code()).toBeNull()
  replies['/hand-offs/me/h2'] = () => reply(200, waiting)
  fireEvent.click(screen.getByRole('button', { name: 'Show a new code' }))
  await advance(0)
  expect(requests.filter(({ path }) => path === CREATE)).toHaveLength(2)
  expect(code()).toBeVisible()
  expect(heading()).toHaveFocus()
})

it('says that no code could be made, and tries again', async () => {
  const { replies } = await open({}, () => reply(503))
  expect(
    screen.getByText('Failed to make a code for your phone, please try again later.'),
  ).toBeVisible()
  replies[CREATE] = () => reply(201, { id: 'h1', token: 'a'.repeat(43), secondsLeft: 900 })
  fireEvent.click(screen.getByRole('button', { name: 'Show a new code' }))
  await advance(0)
  expect(code()).toBeVisible()
})

it('follows the phone through a gap in the connection, and refreshes an expired session', async () => {
  const { replies, pollReturns } = await open()
  replies[STATE] = () => Promise.reject(new TypeError('offline'))
  await advance(4)
  expect(code()).toBeVisible()
  replies['/auth/check-auth'] = () => {
    replies[STATE] = () => reply(200, { ...waiting, state: 'connected' })
    return reply(200, { user: james })
  }
  replies[STATE] = () => reply(401)
  await advance(2)
  expect(screen.getByText('Your phone is connected. Take the photos there.')).toBeVisible()
  await pollReturns({ state: 'sending' })
  expect(screen.getByText('Your phone is sending the document.')).toBeVisible()
})

it('keeps its code when all data of the screen is read again', async () => {
  const { requests } = await open()
  fireEvent.click(screen.getByRole('button', { name: 'Read again' }))
  await advance(2)
  expect(requests.filter(({ path }) => path === CREATE)).toHaveLength(1)
})

it('says that the code has expired when its time is over, also without a connection', async () => {
  const { replies } = await open()
  replies[STATE] = () => Promise.reject(new TypeError('offline'))
  await advance(900)
  expect(screen.getByText('The time for this code is over.')).toBeVisible()
  expect(code()).toBeNull()
})

it('asks before it goes back while the phone has photos that are not sent', async () => {
  const { pollReturns, onBack } = await open()
  await pollReturns({ state: 'connected', pages: 2 })
  fireEvent.click(screen.getByRole('button', { name: 'Back' }))
  expect(onBack).not.toHaveBeenCalled()
  expect(screen.getByText(/photos that are not sent/).closest('[role=alert]')).not.toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Wait for the phone' }))
  fireEvent.click(screen.getByRole('button', { name: 'Back' }))
  fireEvent.click(screen.getByRole('button', { name: 'Go back anyway' }))
  expect(onBack).toHaveBeenCalledOnce()
})

it('ends the hand-off when the panel is closed', async () => {
  const { requests, unmount } = await open()
  const before = requests.length
  unmount()
  await advance(0)
  // The DELETE. It has the path of the polls, of which none is due yet.
  expect(requests.slice(before).map(({ path }) => path)).toEqual([STATE])
})
