import { getTodo, NOTHING_TO_DO, type TodoItem } from '@guidon/contract/todo'
import { focusManager } from '@tanstack/react-query'
import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { sampleItem } from '../../../test/sample-case.ts'
import { renderScreen, reply, stubNetwork, type Reply } from '../../../test/test-app.tsx'
import { TodoSection } from './TodoSection.tsx'

const NOW = new Date(2026, 10, 16, 9, 12).getTime()

const todo =
  (items: TodoItem[]): Reply =>
  () =>
    reply(200, { items, checkedAt: new Date().toISOString() })

function open(todoReply: Reply, intakeDone = false) {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: NOW })
  const replies = { [getTodo.path]: todoReply }
  stubNetwork(replies)
  renderScreen(
    '/dashboard/home',
    <TodoSection
      actionOf={({ id }) => <button>Do {id}</button>}
      intakeText="Every question is optional."
      intakeDone={intakeDone}
      freezeList={false}
    />,
  )
  return { replies, section: within(screen.getByRole('region', { name: 'What you need to do' })) }
}

/** As when the user returns to the tab. */
async function readAgain(): Promise<void> {
  act(() => focusManager.setFocused(false))
  act(() => focusManager.setFocused(true))
  await act(() => vi.advanceTimersByTimeAsync(0))
}

afterEach(() => {
  focusManager.setFocused(undefined)
  vi.useRealTimers()
})

it('lists what to do in the order of the server, each with one button', async () => {
  const { section } = open(
    todo([
      sampleItem({ kind: 'overdueDocument', due: '2026-11-12', why: 'It proves your service.' }),
      sampleItem({ id: 'd2', subject: 'VA letter', due: '2026-12-03' }),
      sampleItem({ kind: 'unusableDocument', id: 'd3', subject: 'X-ray', why: 'Page 2 is cut.' }),
      sampleItem({ kind: 'failedUpload', id: 'd4', subject: 'a.pdf' }),
      sampleItem({ kind: 'intake', id: 'u1', subject: null }),
      sampleItem({ kind: 'appointment', id: 'a1', subject: 'Harbor Clinic', due: '2026-11-18' }),
    ]),
  )
  await section.findByRole('button', { name: 'Do r1' })
  const items = section.getAllByRole('listitem')
  expect(items.map((item) => within(item).getByRole('heading', { level: 3 }).textContent)).toEqual([
    'Send us: DD Form 214',
    'Send us: VA letter',
    'Send a new copy: X-ray',
    'Send again: a.pdf',
    'Finish your intake',
    'Go to your appointment: Harbor Clinic',
  ])
  for (const item of items) expect(within(item).getAllByRole('button')).toHaveLength(1)
  expect(items[0]).toHaveTextContent('Overdue: it was due November 12. It proves your service.')
  expect(items[1]).toHaveTextContent('By December 3.')
  expect(items[2]).toHaveTextContent('Page 2 is cut.')
  expect(items[3]).toHaveTextContent(
    'We have the file you sent, but could not add it to your records. Sending it again may help.',
  )
  expect(items[4]).toHaveTextContent('Every question is optional.')
  expect(items[5]).toHaveTextContent('On Wednesday, November 18.')
  expect(section.getByText('Checked just now.')).toBeVisible()
})

it('says that there is nothing to do, and when that was last checked', async () => {
  const { section } = open(todo([]))
  expect(await section.findByText(NOTHING_TO_DO)).toBeVisible()
  expect(section.getByText('Checked just now.')).toBeVisible()
  await act(() => vi.advanceTimersByTimeAsync(75_000))
  expect(section.getByText(/^Checked at 9:12\sAM/)).toBeVisible()
})

it('leaves out an intake that is done', async () => {
  const { section } = open(todo([sampleItem({ kind: 'intake', subject: null })]), true)
  expect(await section.findByText(NOTHING_TO_DO)).toBeVisible()
})

it('shows: Failed to get your to-do list., and loads on Try again', async () => {
  const { section, replies } = open(() => reply(503))
  expect(await section.findByText('Failed to get your to-do list.')).toBeVisible()
  replies[getTodo.path] = todo([])
  await userEvent.click(section.getByRole('button', { name: 'Try again to load to-do list' }))
  expect(await section.findByText(NOTHING_TO_DO)).toBeVisible()
})

it('announces a change once, and moves the focus from an item that is gone to the heading', async () => {
  const { section, replies } = open(todo([sampleItem(), sampleItem({ id: 'r2' })]))
  const first = await section.findByRole('button', { name: 'Do r1' })
  const status = section.getAllByRole('status')[0]
  expect(status).toBeEmptyDOMElement()
  act(() => first.focus())
  replies[getTodo.path] = todo([sampleItem({ id: 'r2' })])
  await readAgain()
  expect(section.queryByRole('button', { name: 'Do r1' })).toBeNull()
  expect(status).toHaveTextContent('Your to-do list has changed. It has 1 item.')
  expect(section.getByRole('heading', { level: 2 })).toHaveFocus()
})

it('announces each of two changes after which the list has the same length', async () => {
  const { section, replies } = open(todo([sampleItem()]))
  await section.findByRole('button', { name: 'Do r1' })
  const status = section.getAllByRole('status')[0]
  for (const subject of ['VA letter', 'X-ray']) {
    replies[getTodo.path] = todo([sampleItem({ id: subject, subject })])
    await readAgain()
    expect(status).toHaveTextContent(`It has 1 item. New or changed: Send us: ${subject}.`)
  }
})

it('leaves the focus where it is when another item is gone', async () => {
  const { section, replies } = open(todo([sampleItem(), sampleItem({ id: 'r2' })]))
  const second = await section.findByRole('button', { name: 'Do r2' })
  act(() => second.focus())
  replies[getTodo.path] = todo([sampleItem({ id: 'r2' })])
  await readAgain()
  expect(section.queryByRole('button', { name: 'Do r1' })).toBeNull()
  expect(second).toHaveFocus()
})
