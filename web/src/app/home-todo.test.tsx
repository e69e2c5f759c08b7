import { getAppointments } from '@guidon/contract/appointments'
import { CASE_CHECK_SECONDS, getCaseActivity, getCaseVersion } from '@guidon/contract/case-activity'
import { getCaseManager } from '@guidon/contract/case-manager'
import { getClaims } from '@guidon/contract/claims'
import { getDocuments, type Document } from '@guidon/contract/documents'
import { getIntake } from '@guidon/contract/intake'
import { ACCESS_TOKEN_MINUTES } from '@guidon/contract/limits'
import { getTodo, NOTHING_TO_DO, type TodoItem } from '@guidon/contract/todo'
import { focusManager } from '@tanstack/react-query'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubUploads, type FakeUpload } from '../../test/fake-uploads.ts'
import { sampleClaim, sampleItem } from '../../test/sample-case.ts'
import { james as user } from '../../test/signed-in.ts'
import { renderApp, reply, stubNetwork, type Reply } from '../../test/test-app.tsx'
import { intake } from '../../test/wizard.tsx'
import { pdf, requestedOne, uploadedOne } from '../features/documents/sample-documents.ts'

const version = (value: string) => () => reply(200, { version: value, hasUnfinishedUploads: false })
const checkedAt = '2026-11-16T09:12:00.000Z'

let sent: FakeUpload[]
let requests: ReturnType<typeof stubNetwork>
let replies: Record<string, Reply>

const setTodo = (...items: TodoItem[]) => {
  replies[getTodo.path] = () => reply(200, { items, checkedAt })
}
const setDocuments = (...documents: Document[]) => {
  replies[getDocuments.path] = () => reply(200, documents)
}
/** Also while a dialog hides it. */
const todo = () => within(screen.getByRole('region', { name: 'What you need to do', hidden: true }))

async function openHome(): Promise<void> {
  renderApp('/dashboard/home')
  // Below the first sections, so shown last. The first test also waits for the screen's code to load.
  await screen.findByRole('heading', { level: 2, name: 'Documents' })
}

beforeEach(() => {
  sent = stubUploads()
  replies = { '/auth/check-auth': () => reply(200, { user }) }
  requests = stubNetwork(replies)
})
afterEach(() => {
  focusManager.setFocused(undefined)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('uploads a requested document from the to-do list, which then says that nothing is left', async () => {
  setTodo(sampleItem())
  setDocuments(requestedOne)
  await openHome()
  const name = { name: 'Upload DD Form 214' }
  const button = await todo().findByRole('button', name)
  button.focus()
  fireEvent.click(button)
  await screen.findByRole('dialog', name)
  const input = screen.getByLabelText('Files to upload', { selector: 'input' })
  fireEvent.change(input, { target: { files: [pdf()] } })
  fireEvent.click(await screen.findByRole('button', { name: 'Upload' }))
  await vi.waitUntil(() => sent.length === 1, 60_000)
  expect(sent[0]!.form.get('documentId')).toBe('r1')
  setTodo()
  act(() => sent[0]!.respond(201, { ...uploadedOne, id: 'n1', name: 'dd214.pdf' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 60_000)
  expect(await todo().findByText(NOTHING_TO_DO)).toBeVisible()
  expect(todo().getByRole('heading', { level: 2 })).toHaveFocus()
})

it('replaces a document that is not usable after confirmation, with progress and cancel', async () => {
  setTodo(sampleItem({ kind: 'unusableDocument', id: 'u1', subject: uploadedOne.name }))
  setDocuments({ ...uploadedOne, status: 'notUsable', statusReason: 'Page 2 is cut off.' })
  await openHome()
  const input = await todo().findByLabelText(`File for ${uploadedOne.name}`)
  fireEvent.change(input, { target: { files: [pdf('better.pdf')] } })
  const question = await screen.findByRole('dialog', { name: 'Replace this document?' })
  fireEvent.click(within(question).getByRole('button', { name: 'Replace' }))
  await vi.waitUntil(() => sent.length === 1, 60_000)
  act(() => sent[0]!.progress(0.4))
  expect(await todo().findByText('Uploading… 40%')).toBeVisible()
  const cancel = { name: `Cancel upload of ${uploadedOne.name}` }
  expect(await todo().findByRole('button', cancel)).toBeVisible()
  setTodo()
  act(() => sent[0]!.respond(200, uploadedOne))
  expect(await todo().findByText(NOTHING_TO_DO)).toBeVisible()
})

it('keeps an item that the server no longer lists while the user chooses a file for it and is asked to confirm', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  setTodo(sampleItem({ kind: 'unusableDocument', id: 'u1', subject: uploadedOne.name }))
  setDocuments(uploadedOne)
  replies[getCaseVersion.path] = version('1')
  await openHome()
  const button = await todo().findByRole('button', { name: `Replace ${uploadedOne.name}` })
  const input = todo().getByLabelText(`File for ${uploadedOne.name}`)
  button.focus()
  fireEvent.click(button)
  setTodo()
  replies[getCaseVersion.path] = version('2')
  const reads = () => requests.filter(({ path }) => path === getTodo.path).length
  const before = reads()
  await act(() => vi.advanceTimersByTimeAsync(CASE_CHECK_SECONDS * 1000))
  expect(reads()).toBe(before + 1)
  expect(button).toBeInTheDocument()
  fireEvent.change(input, { target: { files: [pdf('better.pdf')] } })
  const question = await screen.findByRole('dialog', { name: 'Replace this document?' })
  expect(button).toBeInTheDocument()
  fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
  expect(await todo().findByText(NOTHING_TO_DO)).toBeVisible()
  expect(todo().getByRole('heading', { level: 2 })).toHaveFocus()
})

it('updates the list again after the file chooser is canceled', async () => {
  setTodo(sampleItem({ kind: 'unusableDocument', id: 'u1', subject: uploadedOne.name }))
  setDocuments(uploadedOne)
  await openHome()
  fireEvent.click(await todo().findByRole('button', { name: `Replace ${uploadedOne.name}` }))
  fireEvent(
    todo().getByLabelText(`File for ${uploadedOne.name}`),
    new Event('cancel', { bubbles: true }),
  )
  setTodo()
  act(() => focusManager.setFocused(false))
  act(() => focusManager.setFocused(true))
  expect(await todo().findByText(NOTHING_TO_DO)).toBeVisible()
})

it('leads to the list of documents while that cannot be loaded', async () => {
  setTodo(sampleItem())
  await openHome()
  const name = { name: 'Show DD Form 214 in the list of documents' }
  fireEvent.click(await todo().findByRole('button', name))
  expect(screen.getByRole('heading', { level: 2, name: 'Documents' })).toHaveFocus()
})

it('fetches the documents and the intake once, although the list comes later', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  replies[getTodo.path] = () => promise
  replies[getIntake.path] = intake()
  setDocuments(requestedOne)
  await openHome()
  await screen.findByRole('button', { name: 'Upload DD Form 214' })
  const items = [sampleItem(), sampleItem({ kind: 'intake', subject: null })]
  resolve(reply(200, { items, checkedAt }))
  await todo().findByRole('link', { name: 'Start' })
  const fetched = requests.map(({ path }) => path)
  for (const path of [getDocuments.path, getIntake.path])
    expect(fetched.filter((one) => one === path)).toHaveLength(1)
})

it('leads to the appointments', async () => {
  setTodo(sampleItem({ kind: 'appointment', subject: 'Harbor Clinic', due: '2099-11-18' }))
  await openHome()
  const name = { name: 'Read about your appointment Harbor Clinic' }
  fireEvent.click(await todo().findByRole('button', name))
  expect(screen.getByRole('heading', { level: 2, name: 'Appointments' })).toHaveFocus()
})

it('orders the headings of Home', async () => {
  setTodo(sampleItem({ kind: 'intake', subject: null }))
  setDocuments(requestedOne)
  replies[getIntake.path] = intake()
  replies[getClaims.path] = () => reply(200, [sampleClaim()])
  replies[getCaseManager.path] = () => reply(200, { caseManager: null })
  replies[getAppointments.path] = () => reply(200, [])
  replies[getCaseActivity.path] = () => reply(200, [{ at: checkedAt, what: 'Your intake came' }])
  await openHome()
  await screen.findByText('Your intake came')
  await screen.findByText('Awaiting Case Manager')
  await screen.findByText(requestedOne.name, { selector: 'h3' })
  const headings = screen.getByRole('main').querySelectorAll('h1, h2, h3')
  expect([...headings].map(({ textContent }) => textContent)).toEqual([
    'Welcome, James',
    'What you need to do',
    'Finish your intake',
    'Where your claim stands',
    'We are gathering your records',
    'Your case manager',
    'Appointments',
    'Documents',
    'DD Form 214',
    'Recent activity',
  ])
})

it('reads a part again with the next check if it could not be read after a change', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  setTodo()
  replies[getCaseVersion.path] = version('1')
  await openHome()
  await todo().findByText(NOTHING_TO_DO)
  const check = () => act(() => vi.advanceTimersByTimeAsync(CASE_CHECK_SECONDS * 1000))
  replies[getCaseVersion.path] = version('2')
  replies[getTodo.path] = () => reply(503)
  await check()
  expect(todo().getByText(NOTHING_TO_DO)).toBeVisible()
  setTodo(sampleItem())
  await check()
  expect(await todo().findByText('Send us: DD Form 214')).toBeVisible()
  const reads = requests.filter(({ path }) => path === getTodo.path).length
  await check()
  expect(requests.filter(({ path }) => path === getTodo.path)).toHaveLength(reads)
})

it('reads every part again when the version of the case changes, and only then', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  setTodo()
  replies[getCaseVersion.path] = version('1')
  await openHome()
  await todo().findByText(NOTHING_TO_DO)
  const check = () => act(() => vi.advanceTimersByTimeAsync(CASE_CHECK_SECONDS * 1000))
  const count = (path: string) => requests.filter((request) => request.path === path).length
  await check()
  expect(count(getCaseVersion.path)).toBeGreaterThan(1)
  const before = count(getTodo.path)
  setTodo(sampleItem())
  await check()
  expect(count(getTodo.path)).toBe(before)
  replies[getCaseVersion.path] = () => reply(401)
  await check()
  expect(count('/auth/refresh')).toBe(0)
  replies[getCaseVersion.path] = version('2')
  await check()
  expect(await todo().findByText('Send us: DD Form 214')).toBeVisible()
  for (const path of ['/salesforce/appointments/me', '/salesforce/case-manager/me', '/claims/me']) {
    expect(count(path)).toBeGreaterThan(1)
  }
  expect(count('/auth/check-auth')).toBe(1)
  // Nobody uses the session any more.
  await act(() => vi.advanceTimersByTimeAsync(ACCESS_TOKEN_MINUTES * 60_000))
  const checks = count(getCaseVersion.path)
  await check()
  expect(count(getCaseVersion.path)).toBe(checks)
})
