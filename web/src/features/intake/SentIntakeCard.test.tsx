import { getIntake, intakeSubmitted } from '@guidon/contract/intake'
import { PREFILLED } from '@guidon/contract/intake-merge'
import { screens } from '@guidon/contract/screens'
import { getTodo } from '@guidon/contract/todo'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { james as user } from '../../../test/signed-in.ts'
import { stubNetwork, renderApp, reply, type Reply } from '../../../test/test-app.tsx'

const intake = {
  data: { city: 'Reno', race: 'White' },
  step: 'preview',
  editedAt: { city: 5 },
  savedAt: '2026-11-15T15:42:00.000Z',
  submittedAt: null as string | null,
  linkedToExistingAccount: false,
  version: 1,
}
const SENT = '2026-11-15T15:42:00.000Z'

/** The server still lists the intake: its list may be older than what happened in this tab. */
const todo = {
  items: [{ kind: 'intake', id: 'u1', subject: null, due: null, why: null }],
  checkedAt: SENT,
}

function open(intakeReply: Reply) {
  const replies: Record<string, Reply> = {
    '/auth/check-auth': () => reply(200, { user }),
    [getTodo.path]: () => reply(200, todo),
    [getIntake.path]: intakeReply,
  }
  const requests = stubNetwork(replies)
  renderApp(screens.home)
  return { replies, requests }
}

it('shows the sent intake for printing or saving', async () => {
  const print = vi.fn<() => void>()
  vi.stubGlobal('print', print)
  open(() => reply(200, { ...intake, submittedAt: SENT }))
  const button = { name: 'Print or save what you sent' }
  await userEvent.click(await screen.findByRole('button', button))
  const dialog = await screen.findByRole('dialog', {
    name: 'Your intake, sent on November 15, 2026',
  })
  expect(dialog).toHaveTextContent('Reno')
  expect(dialog).toHaveTextContent('N/A')
  await userEvent.click(screen.getByRole('button', { name: 'Print' }))
  expect(print).toHaveBeenCalledOnce()
})

it('offers Try again when loading fails', async () => {
  const { replies } = open(() => reply(503))
  const tryAgain = await screen.findByRole('button', { name: 'Try again to load intake' })
  expect(screen.getByText(getIntake.failure)).toBeVisible()
  replies[getIntake.path] = () => reply(200, { ...intake, submittedAt: SENT })
  await userEvent.click(tryAgain)
  expect(await screen.findByText('We received your intake on November 15, 2026.')).toBeVisible()
  expect(screen.queryByText('Finish your intake')).toBeNull()
})

it('does not lose the focus when Try again finds no sent intake', async () => {
  const { replies } = open(() => reply(503))
  const tryAgain = await screen.findByRole('button', { name: 'Try again to load intake' })
  replies[getIntake.path] = () => reply(200, intake)
  await userEvent.click(tryAgain)
  expect(await screen.findByText('There is no intake that you have sent.')).toBeVisible()
  expect(document.body).not.toHaveFocus()
})

it.each([
  [
    'has not started',
    { data: { state: 'CA' }, edits: { state: { id: PREFILLED, over: [] } } },
    'Start',
  ],
  ['has an answer', { edits: { city: { id: 'e1', over: [] } } }, 'Continue'],
  ['has passed a step', { data: {}, step: 'goal', edits: {} }, 'Continue'],
])('the to-do list tells a veteran who %s where the intake stands', async (_, parts, word) => {
  open(() => reply(200, { ...intake, step: 'initialInfo', ...parts }))
  const found = await screen.findByRole('link', { name: word })
  expect(found).toHaveAttribute('href', screens.getStarted)
  expect(screen.getByRole('heading', { name: 'Finish your intake' })).toBeVisible()
  const text = word === 'Start' ? /^You have not started yet\./ : /^Your answers so far are saved\./
  expect(screen.getByText(text)).toBeVisible()
})

it('tells that answers of this tab came after the intake was sent elsewhere', async () => {
  storeDraftWithPendingSubmit()
  const { replies, requests } = open(() => reply(200, { ...intake, submittedAt: SENT }))
  // Reads and saves have the same path; only a save has a body.
  replies[getIntake.path] = () =>
    requests.at(-1)?.body
      ? reply(409, { code: 'intake_submitted', message: intakeSubmitted.message })
      : reply(200, { ...intake, submittedAt: SENT })
  expect(await screen.findByText(intakeSubmitted.message)).toBeVisible()
  expect(sessionStorage).toHaveLength(0)
})

function storeDraftWithPendingSubmit() {
  const draft = {
    owner: user.email,
    version: 1,
    step: 'preview',
    submit: true,
    answers: { city: 'Reno' },
    editedAt: { city: 5 },
    sentAt: {},
  }
  sessionStorage.setItem('guidon.intake.form', JSON.stringify(draft))
}

it('sends from the dashboard what the wizard could not send', async () => {
  storeDraftWithPendingSubmit()
  const { replies, requests } = open(() => reply(503))
  expect(await screen.findByText(/Your intake is kept in this tab/)).toBeVisible()
  expect(screen.queryByText('Finish your intake')).toBeNull()
  replies[getIntake.path] = () => reply(200, { ...intake, submittedAt: SENT })
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(sessionStorage).toHaveLength(0))
  expect(requests.findLast(({ body }) => body)?.body).toMatchObject({ city: 'Reno', submit: true })
  expect(await screen.findByText('We received your intake on November 15, 2026.')).toBeVisible()
  // Not at once: a busy machine may read the intake again before it renders that the draft was sent.
  await waitFor(() => expect(screen.queryByText(/Your intake is kept in this tab/)).toBeNull())
})

it('shows that the intake was received, even if an older response arrives after the submit', async () => {
  storeDraftWithPendingSubmit()
  const older = Promise.withResolvers<Response>()
  let reads = 0
  const { replies, requests } = open(() => older.promise)
  replies[getIntake.path] = () => {
    if (requests.at(-1)?.body) return reply(200, { savedAt: SENT, submittedAt: SENT })
    reads += 1
    return reads === 1 ? older.promise : reply(200, { ...intake, submittedAt: SENT })
  }
  await waitFor(() => expect(sessionStorage).toHaveLength(0))
  older.resolve(reply(200, intake))
  expect(await screen.findByText('We received your intake on November 15, 2026.')).toBeVisible()
})
