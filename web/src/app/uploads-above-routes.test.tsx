import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubUploads, type FakeUpload } from '../../test/fake-uploads.ts'
import { james as user } from '../../test/signed-in.ts'
import { stubNetwork, renderApp, reply, type Reply } from '../../test/test-app.tsx'
import { UPLOAD_PROGRESS } from '../api/upload-signals.ts'
import { pdf, uploadedOne } from '../features/documents/sample-documents.ts'

const welcome = { level: 1, name: 'Welcome, James' }
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const question = () => screen.findByRole('dialog', { name: 'Your upload is not finished' })

let sent: FakeUpload[]
let requests: ReturnType<typeof stubNetwork>
let replies: Record<string, Reply>

/** Starts to replace a document on Home. */
beforeEach(async () => {
  sent = stubUploads()
  replies = {
    '/auth/check-auth': () => reply(200, { user }),
    '/auth/logout': () => reply(204),
    '/salesforce/documents/me': () => reply(200, [uploadedOne]),
  }
  requests = stubNetwork(replies)
  renderApp('/dashboard/home', '/signin')
  const input = await screen.findByLabelText(`File for ${uploadedOne.name}`)
  fireEvent.change(input, { target: { files: [pdf('better.pdf')] } })
  const confirmation = await screen.findByRole('dialog', { name: 'Replace this document?' })
  fireEvent.click(within(confirmation).getByRole('button', { name: 'Replace' }))
  await vi.waitUntil(() => sent.length === 1, 60_000)
  // Then the server has a minute to respond. Before, an upload without progress ends after ten seconds, in which a busy
  // machine may not open another screen.
  sent[0]!.finishSending()
})
afterEach(() => vi.unstubAllGlobals())

async function goToSettings(): Promise<void> {
  fireEvent.click(await screen.findByRole('link', { name: 'Settings' }))
  await screen.findByRole('heading', { level: 1, name: 'Settings' })
}

it('continues a replacement when Settings opens, and reports the success there', async () => {
  await goToSettings()
  act(() => sent[0]!.progress(0.4))
  const bar = await screen.findByRole('progressbar', { name: `Upload of ${uploadedOne.name}` })
  expect(bar).toHaveAttribute('aria-valuenow', '40')
  act(() => sent[0]!.respond(200, uploadedOne))
  expect(await screen.findByText(/Your document has been uploaded successfully!/)).toBeVisible()
  expect(screen.queryByRole('progressbar')).toBeNull()
})

it('reports a failed replacement in Settings until it is tried again', async () => {
  await goToSettings()
  act(() => sent[0]!.respond(500))
  expect(
    await screen.findByText(/Failed to replace document, please try again later\./),
  ).toBeVisible()
  await press(`Try again to replace ${uploadedOne.name}`)
  await vi.waitFor(() => expect(sent).toHaveLength(2), 60_000)
  expect(screen.getByRole('heading', { level: 1, name: 'Settings' })).toHaveFocus()
})

it('asks before Log out stops an upload', async () => {
  await press('Log out')
  fireEvent.click(within(await question()).getByRole('button', { name: 'Keep uploading' }))
  expect(sent[0]!.aborted).toBe(false)
  expect(requests.map(({ path }) => path)).not.toContain('/auth/logout')
  await press('Log out')
  fireEvent.click(within(await question()).getByRole('button', { name: 'Stop and log out' }))
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await vi.waitFor(() => expect(sent[0]!.aborted).toBe(true), 60_000)
})

it('asks before Back leaves the portal during an upload, and stays or leaves as answered', async () => {
  const back = () => fireEvent.click(screen.getByTestId('back'))
  back()
  fireEvent.click(within(await question()).getByRole('button', { name: 'Keep uploading' }))
  expect(await screen.findByRole('heading', welcome)).toBeVisible()
  expect(sent[0]!.aborted).toBe(false)
  back()
  fireEvent.click(within(await question()).getByRole('button', { name: 'Stop and leave' }))
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await vi.waitFor(() => expect(sent[0]!.aborted).toBe(true), 60_000)
})

it('stops and forgets the uploads when the session ends', async () => {
  replies['/auth/refresh'] = () => reply(401)
  act(() => sent[0]!.respond(401))
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  expect(screen.queryByText(new RegExp(uploadedOne.name))).toBeNull()
  expect(screen.queryByText(/Failed to replace/)).toBeNull()
})

it('shows no failure of the previous user after log-out', async () => {
  act(() => sent[0]!.respond(500))
  await screen.findByRole('button', { name: /^Try again to replace/ })
  await press('Log out')
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  expect(screen.queryByText(/Failed to replace/)).toBeNull()
  expect(screen.queryByRole('button', { name: /^Try again/ })).toBeNull()
})

it('fires the event by which the progress of an upload counts as activity', async () => {
  const report = vi.fn<() => void>()
  addEventListener(UPLOAD_PROGRESS, report)
  act(() => sent[0]!.progress(0.1))
  expect(report).toHaveBeenCalledOnce()
  removeEventListener(UPLOAD_PROGRESS, report)
  expect(await screen.findByRole('heading', welcome)).toBeVisible()
})
