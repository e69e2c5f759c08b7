import { createHash } from 'node:crypto'
import { documentExists, type Document } from '@guidon/contract/documents'
import { CHUNK_BYTES, type UnfinishedUpload } from '@guidon/contract/resumable-uploads'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubUploads, type FakeUpload } from '../../../../test/fake-uploads.ts'
import { renderScreen, reply, stubNetwork } from '../../../../test/test-app.tsx'
// Imports without a name: lazy code, loaded in advance so that no test waits for it.
import '../../../api/resumable/send-in-parts.ts'
import { Documents } from '../Documents.tsx'
import { requestedOne, uploadedOne } from '../sample-documents.ts'
import '../upload/UploadDialog.tsx'
import { Uploads } from '../upload/Uploads.tsx'
import './UnfinishedUploads.tsx'

const SIZE = 6 * CHUNK_BYTES
const content = (lastByte: number) => new Uint8Array(SIZE).fill(37).with(SIZE - 1, lastByte)
const pdfOf = (bytes: Uint8Array<ArrayBuffer>, name = 'rating.pdf') =>
  new File(['%PDF-', bytes.slice(5)], name, { type: 'application/pdf' })
const file = pdfOf(content(1))
const head = new Uint8Array(await file.slice(0, CHUNK_BYTES).arrayBuffer())

const unfinished: UnfinishedUpload = {
  id: 'u1',
  name: 'rating.pdf',
  size: SIZE,
  offset: CHUNK_BYTES,
  expiresAt: '2099-11-17T14:12:00.000Z',
  documentType: 'Other',
  documentId: null,
  replaces: null,
  note: null,
  chunks: [{ start: 0, sha256: createHash('sha256').update(head).digest('hex') }],
}
const createdDocument: Document = { ...uploadedOne, id: 'n1', name: 'rating.pdf', boxFileId: 'n1' }

const list = () => screen.queryByRole('list', { name: 'Uploads that are not finished' })
const button = (name: string) => screen.getByRole('button', { name })

/** Answers like the server, which has the first chunk. */
function answer(upload: FakeUpload): void {
  const offset = { 'Upload-Offset': String(upload.method === 'PATCH' ? SIZE : CHUNK_BYTES) }
  if (upload.url.endsWith('/finish')) upload.respond(201, createdDocument)
  else upload.respond(upload.method === 'HEAD' ? 200 : 204, undefined, offset)
}

/** Leaves the other requests without a response. */
const respondToDelete = (upload: FakeUpload) => upload.method === 'DELETE' && upload.respond(204)

async function open(
  all: UnfinishedUpload[] = [unfinished],
  documents: Document[] = [],
  handleSend = answer,
) {
  const sent = stubUploads((upload) => queueMicrotask(() => handleSend(upload)))
  stubNetwork({
    '/salesforce/documents/me': () => reply(200, documents),
    '/salesforce/document-categories/me': () => reply(200, []),
    '/uploads/me': () => reply(200, all),
  })
  renderScreen(
    '/dashboard/home',
    <>
      <h1 tabIndex={-1}>Home</h1>
      <Documents hasUnfinished headingRef={{ current: null }} />
      <Uploads />
    </>,
  )
  await waitFor(() => expect(list()).toBeVisible())
  return sent
}

const choose = (picked: File) =>
  fireEvent.change(screen.getByLabelText('File to continue rating.pdf'), {
    target: { files: [picked] },
  })

const requestsOf = (sent: readonly FakeUpload[]) =>
  sent.map(({ method, url }) => `${method} ${url}`)

beforeEach(() => void vi.stubGlobal('scrollTo', () => {}))
afterEach(() => void vi.unstubAllGlobals())

it('lists an upload with how much is sent and until when it can be continued', async () => {
  await open()
  expect(within(list()!).getByRole('listitem')).toHaveTextContent(
    /^rating\.pdf16% of 6\.0 MB is sent\. Choose the file again to continue\.You can continue until November/,
  )
})

it('continues after the same file was chosen, with what is missing', async () => {
  const sent = await open()
  button('Choose file to continue rating.pdf').focus()
  choose(file)
  await screen.findByText('Successfully uploaded documents rating.pdf')
  expect(requestsOf(sent)).toEqual([
    'HEAD /uploads/me/u1',
    'PATCH /uploads/me/u1',
    'POST /uploads/me/u1/finish',
  ])
  expect(sent[1]!.part!.size).toBe(5 * CHUNK_BYTES)
  expect(list()).toBeNull()
  expect(screen.getByRole('heading', { level: 2, name: 'Documents' })).toHaveFocus()
  expect(await screen.findByRole('heading', { level: 3, name: 'rating.pdf' })).toBeVisible()
})

it('continues a new version on the card of its document', async () => {
  const replaces = uploadedOne.boxFileId
  const sent = await open([{ ...unfinished, replaces }], [uploadedOne], respondToDelete)
  choose(file)
  await screen.findByRole('progressbar', { name: `Upload of ${uploadedOne.name}` })
  expect(requestsOf(sent)).toEqual(['HEAD /uploads/me/u1'])
  fireEvent.click(button(`Cancel upload of ${uploadedOne.name}`))
  await waitFor(() => expect(requestsOf(sent).at(-1)).toBe('DELETE /uploads/me/u1'))
})

it.each([
  ['another size', pdfOf(new Uint8Array(SIZE + 1))],
  ['other content', pdfOf(new Uint8Array(SIZE))],
])('refuses a file of %s, and offers to upload it as a new one', async (_, other) => {
  const documents = [requestedOne]
  const sent = await open([{ ...unfinished, documentId: requestedOne.id }], documents)
  choose(other)
  const message = 'rating.pdf is not the file that you started with, or it has changed.'
  expect((await screen.findByText(message)).closest('[role=alert]')).not.toBeNull()
  expect(sent).toEqual([])
  fireEvent.click(button('Upload rating.pdf as a new file'))
  const dialog = await screen.findByRole('dialog', { name: 'Upload DD Form 214' })
  expect(await within(dialog).findByRole('button', { name: 'Remove rating.pdf' })).toBeVisible()
})

it('starts anew if something about the file is changed after a failure', async () => {
  const sent = await open([unfinished], [], (upload) => {
    const refused = upload.method === 'PATCH' || upload.url === '/uploads/me'
    if (refused) upload.respond(429, { code: 'upload_quota' })
    else answer(upload)
  })
  choose(file)
  fireEvent.click(await screen.findByRole('button', { name: 'Show the files that failed' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: /^Add a note/ }))
  fireEvent.change(dialog.getByRole('textbox', { name: /^Note/ }), { target: { value: 'Page 3' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(requestsOf(sent).at(-1)).toBe('POST /uploads/me'))
})

it('offers a different file as a new document, not as the new version', async () => {
  const replaces = uploadedOne.boxFileId
  const sent = await open([{ ...unfinished, replaces }], [uploadedOne])
  choose(pdfOf(new Uint8Array(SIZE)))
  fireEvent.click(await screen.findByRole('button', { name: 'Upload rating.pdf as a new file' }))
  const dialog = await screen.findByRole('dialog', { name: 'Upload Documents' })
  expect(await within(dialog).findByRole('button', { name: 'Remove rating.pdf' })).toBeVisible()
  expect(sent).toEqual([])
})

it('does not continue a second new version of a document while the first is sent', async () => {
  const replaces = uploadedOne.boxFileId
  const second = { ...unfinished, id: 'u2', name: 'second.pdf', replaces }
  const sent = await open([{ ...unfinished, replaces }, second], [uploadedOne], respondToDelete)
  choose(file)
  await screen.findByRole('progressbar', { name: `Upload of ${uploadedOne.name}` })
  fireEvent.change(screen.getByLabelText('File to continue second.pdf'), {
    target: { files: [file] },
  })
  expect(await screen.findByText('This document is being replaced right now.')).toBeVisible()
  fireEvent.click(button(`Cancel upload of ${uploadedOne.name}`))
  await waitFor(() => expect(requestsOf(sent).at(-1)).toBe('DELETE /uploads/me/u1'))
})

it('finishes an upload that the server has completely, without the file', async () => {
  const sent = await open([{ ...unfinished, offset: SIZE }])
  fireEvent.click(button('Finish the upload of rating.pdf'))
  await waitFor(() => expect(list()).toBeNull())
  expect(requestsOf(sent)).toEqual(['POST /uploads/me/u1/finish'])
  expect(screen.getByRole('heading', { level: 2, name: 'Documents' })).toHaveFocus()
})

it('asks for another name if it is taken at the end, and finishes without the file', async () => {
  let refuse = true
  const sent = await open([{ ...unfinished, offset: SIZE }], [], (upload) =>
    refuse ? upload.respond(409, documentExists) : answer(upload),
  )
  fireEvent.click(button('Finish the upload of rating.pdf'))
  const name = await screen.findByRole('textbox', { name: 'New name of rating.pdf' })
  expect(name).toHaveValue('rating (2).pdf')
  expect(screen.getByText(documentExists.message)).toBeVisible()
  fireEvent.change(name, { target: { value: 'rating 2019.pdf' } })
  refuse = false
  fireEvent.click(button('Finish the upload of rating.pdf'))
  await waitFor(() => expect(list()).toBeNull())
  expect(sent.map(({ headers }) => headers['Upload-Metadata'])).toEqual([
    `filename ${btoa('rating.pdf')}`,
    `filename ${btoa('rating 2019.pdf')}`,
  ])
})

it('says what to do about a PDF that was made from photos', async () => {
  await open([{ ...unfinished, name: 'Photos November 15, 2026.pdf' }])
  expect(within(list()!).getByText(/If you made it here from photos, remove it/)).toBeVisible()
})

it('hides an upload that another tab is sending', async () => {
  const second = { ...unfinished, id: 'u2', name: 'second.pdf' }
  const query = async () => ({ held: [{ name: 'guidon-upload-u2' }] })
  vi.stubGlobal('navigator', Object.create(navigator, { locks: { value: { query } } }))
  await open([unfinished, second])
  expect(within(list()!).getAllByRole('listitem')).toHaveLength(1)
})

it('removes an upload, also one that is gone already, and moves the focus to the next', async () => {
  const second = { ...unfinished, id: 'u2', name: 'second.pdf' }
  const sent = await open([unfinished, second], [], (upload) => upload.respond(404))
  fireEvent.click(button('Remove the unfinished upload of rating.pdf'))
  await waitFor(() => expect(within(list()!).getAllByRole('listitem')).toHaveLength(1))
  expect(requestsOf(sent)).toEqual(['DELETE /uploads/me/u1'])
  expect(button('Choose file to continue second.pdf')).toHaveFocus()
})

it('says so when an upload cannot be removed', async () => {
  await open([unfinished], [], (upload) => upload.respond(500))
  fireEvent.click(button('Remove the unfinished upload of rating.pdf'))
  expect(await screen.findByText(/^Failed to remove the upload/)).toBeVisible()
  expect(list()).toBeVisible()
})
