import type { Document } from '@guidon/contract/documents'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubUploads } from '../../../test/fake-uploads.ts'
import { stubNetwork, renderScreen, reply, type Reply } from '../../../test/test-app.tsx'
import { localDateTime } from '../../ui/dates.ts'
import { Documents } from './Documents.tsx'
import { photoWithOrientation } from './photos/sample-photos.ts'
import { notes, pdf, requestedOne, uploadedOne } from './sample-documents.ts'
// Loaded in advance, because dynamic imports do not follow the fake clock.
import '../../api/upload.ts'
import './photos/clean-photo.ts'
import './upload/NoteField.tsx'
import './upload/UploadDialog.tsx'
import { Uploads } from './upload/Uploads.tsx'

const PATH = '/salesforce/documents/me'
const WRONG_TYPE = 'Only PDF and JPEG files are accepted.'
const createdDocument: Document = { ...uploadedOne, id: 'n1', name: 'dd214.pdf', boxFileId: 'f9' }

const advanceSeconds = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
const cards = () => screen.getAllByRole('listitem').filter((item) => item.querySelector('h3'))
const titles = () => cards().map((card) => within(card).getByRole('heading').textContent)
const button = (name: string) => screen.getByRole('button', { name })
const choose = async (name: string, file: File) => {
  fireEvent.change(screen.getByLabelText(`File for ${name}`), { target: { files: [file] } })
  await advanceSeconds(0)
}
const shown = (text: string, role: string) =>
  screen.queryAllByText(text).some((element) => element.closest(`[role=${role}]`) !== null)

/** Waits for the code and the response of an upload, which do not follow the fake clock. */
async function untilUploaded(): Promise<void> {
  while (!shown('Your document has been uploaded successfully!', 'status')) await advanceSeconds(0)
}

async function open(documentsReply: Reply) {
  const replies = { [PATH]: documentsReply }
  stubNetwork(replies)
  renderScreen(
    '/dashboard/home',
    <>
      <Documents />
      <Uploads />
    </>,
  )
  await advanceSeconds(0)
  return replies
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('states what is accepted and that viewing is disabled, and lists requested before uploaded', async () => {
  await open(() => reply(200, [uploadedOne, requestedOne]))
  for (const text of [
    'Only PDF and JPEG files are accepted',
    'Password-protected files are not allowed',
    'Viewing uploaded files is temporarily disabled.',
    '1 requested, 1 uploaded',
  ]) {
    expect(screen.getByText(text)).toBeVisible()
  }
  expect(titles()).toEqual(['DD Form 214', 'Service treatment records.pdf'])
  const [first, second] = cards().map((card) => within(card))
  expect(first!.getByText('Requested')).toBeVisible()
  expect(first!.getByRole('button', { name: 'Upload DD Form 214' })).toBeVisible()
  expect(second!.getByText('Uploaded')).toBeVisible()
  expect(second!.getByText(/^We have it. Received/)).toHaveTextContent(
    `We have it. Received ${localDateTime('2026-11-03T16:12:00.000Z')}`.replaceAll('\u00a0', ' '),
  )
  expect(second!.getByRole('button', { name: /^Replace/ })).toBeVisible()
})

it('shows size and fingerprint of a received file only under Details', async () => {
  await open(() => reply(200, [uploadedOne]))
  const details = screen.getByText('Details').closest('details')!
  expect(details).not.toHaveAttribute('open')
  fireEvent.click(screen.getByText('Details'))
  for (const [term, text] of [
    ['File name', 'Service treatment records.pdf'],
    ['Size', '2.3 MB'],
    ['Fingerprint', '3fa9 c1d2 b04e'],
  ] as const) {
    expect(within(details).getByText(term).nextElementSibling).toHaveTextContent(text)
  }
})

it('keeps the name of a request as the heading of its file', async () => {
  const request = { id: 'r9', name: 'VA Decision Letter' }
  await open(() => reply(200, [{ ...uploadedOne, name: 'rating.pdf', request }]))
  expect(titles()).toEqual(['VA Decision Letter'])
  expect(screen.getByText('rating.pdf', { selector: 'p' })).toBeVisible()
})

it('says why a requested document is needed, and by when', async () => {
  const why = 'It proves your dates of service.'
  const late = { ...requestedOne, id: 'r2', name: 'Marriage certificate', due: '2020-11-12' }
  await open(() => reply(200, [{ ...requestedOne, due: '2099-12-03', why }, late]))
  const [first, second] = cards()
  expect(first).toHaveTextContent(`By December 3, 2099. ${why}`)
  expect(second).toHaveTextContent('Overdue: it was due November 12, 2020.')
})

it('says why a file was removed whose document is requested again', async () => {
  const removed = { status: 'notUsable', statusReason: 'It is blurred.', why: 'It is needed.' }
  await open(() => reply(200, [{ ...requestedOne, ...removed }]))
  expect(cards()[0]).toHaveTextContent('Requested · Discharge papers It is blurred.')
})

it.each([
  ['received', 'Received'],
  ['inRecords', 'In your records'],
  ['reviewed', 'Reviewed'],
  ['notUsable', 'Not usable'],
  [null, 'Not in your records'],
])('shows the status %s of a file as %s, with an icon, beside Uploaded', async (status, text) => {
  await open(() => reply(200, [{ ...uploadedOne, status }]))
  const first = within(cards()[0]!)
  expect(first.getByText('Uploaded')).toBeVisible()
  expect(first.getByText(text).querySelector('svg')).toBeVisible()
  expect(first.getByText(/^We have it/)).toBeVisible()
})

it('says why a file is not usable, and asks for a new one', async () => {
  const notUsable = { ...uploadedOne, status: 'notUsable', statusReason: 'It is blurred' }
  await open(() => reply(200, [notUsable]))
  const first = within(cards()[0]!)
  for (const text of ['It is blurred', 'Please send a new one.'])
    expect(first.getByText(text)).toBeVisible()
  expect(first.getByRole('button', { name: /^Replace/ })).toHaveAttribute(
    'data-variant',
    'contained',
  )
})

it('says that a file which is not in the records yet is safe, and asks for nothing', async () => {
  await open(() => reply(200, [{ ...uploadedOne, status: 'delayed' }]))
  const first = within(cards()[0]!)
  expect(first.getByText('Received')).toBeVisible()
  expect(
    first.getByText(/^Your file is safe with us.*There is nothing you need to do\.$/),
  ).toBeVisible()
  expect(first.getByRole('button', { name: /^Replace/ })).not.toHaveAttribute(
    'data-variant',
    'contained',
  )
})

it('says what happens with a file that the file store refused', async () => {
  const withoutStatus = { ...uploadedOne, id: 'u2' }
  await open(() => reply(200, [{ ...uploadedOne, status: null }, withoutStatus]))
  const [first, second] = cards().map((card) => within(card))
  expect(first!.getByText(/^We have your file, but could not add it/)).toBeVisible()
  expect(first!.getByRole('button', { name: /^Replace/ })).toHaveAttribute(
    'data-variant',
    'contained',
  )
  expect(second!.queryByText('Not in your records')).toBeNull()
})

it('has a text for an empty list, and no count', async () => {
  await open(() => reply(200, []))
  expect(screen.queryByText(/0 requested/)).toBeNull()
  expect(screen.getByText('No documents have been shared or requested.')).toBeVisible()
})

it('shows skeletons while loading, its own failure, and loads on Try again', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const replies = await open(() => promise)
  expect(screen.getByText('Loading documents…')).toBeInTheDocument()
  resolve(reply(500))
  await advanceSeconds(0)
  expect(screen.getByText('Failed to get user documents.')).toBeVisible()
  expect(button('Upload Document')).toBeVisible()
  replies[PATH] = () => reply(200, [requestedOne])
  fireEvent.click(button('Try again to load documents'))
  await advanceSeconds(0)
  expect(titles()).toEqual(['DD Form 214'])
})

async function waitForDialog(): Promise<void> {
  await vi.waitFor(async () => {
    await advanceSeconds(0)
    screen.getByRole('dialog')
  }, 60_000)
}

async function pick(...files: File[]): Promise<void> {
  const input = screen.getByLabelText('Files to upload', { selector: 'input' })
  fireEvent.change(input, { target: { files } })
  await advanceSeconds(0)
}

it('uploads a requested document with its type and id, and shows it in its place', async () => {
  const sent = stubUploads()
  await open(() => reply(200, [{ ...requestedOne, id: 'r0', name: 'First' }, requestedOne]))
  const uploadButton = button('Upload DD Form 214')
  uploadButton.focus()
  fireEvent.click(uploadButton)
  await waitForDialog()
  await pick(pdf())
  fireEvent.click(button('Upload'))
  await advanceSeconds(0)
  const upload = sent[0]!
  expect(upload.url).toBe('/box/uploadfile/me')
  expect(upload.form.get('documentType')).toBe('Discharge papers')
  expect(upload.form.get('documentId')).toBe('r1')
  upload.respond(201, createdDocument)
  await untilUploaded()
  await advanceSeconds(2)
  await advanceSeconds(1)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(titles()).toEqual(['First', 'dd214.pdf'])
  expect(button('Replace dd214.pdf')).toHaveFocus()
})

const documentNamed = (name: string): Document => ({ ...uploadedOne, id: name, name })

/** Uploads through the dialog, in the category Other. */
async function uploadAnew(files: File[], changes: Partial<Document> = {}): Promise<void> {
  stubUploads((upload) => upload.respond(201, { ...documentNamed(upload.file.name), ...changes }))
  fireEvent.click(button('Upload Document'))
  await waitForDialog()
  await pick(...files)
  for (const field of screen.getAllByRole('combobox'))
    fireEvent.change(field, { target: { value: 'Other' } })
  fireEvent.click(screen.getByRole('button', { name: 'Upload' }))
  await advanceSeconds(3)
  await advanceSeconds(1)
  expect(screen.queryByRole('dialog')).toBeNull()
}

it('places the uploads of the dialog at the top', async () => {
  await open(() => reply(200, [uploadedOne, requestedOne]))
  await uploadAnew([pdf('a.pdf'), pdf('b.pdf')])
  expect(titles()).toEqual(['a.pdf', 'b.pdf', 'DD Form 214', 'Service treatment records.pdf'])
})

it('shows an upload that answers a request at the top, and removes the request', async () => {
  await open(() => reply(200, [{ ...requestedOne, id: 'r0', name: 'First' }, requestedOne]))
  const request = { id: requestedOne.id, name: requestedOne.name }
  await uploadAnew([pdf('a.pdf')], { request })
  expect(titles()).toEqual(['DD Form 214', 'First'])
  expect(screen.getByText('1 requested, 1 uploaded')).toBeVisible()
})

it('fetches the list after an upload when it could not be loaded before', async () => {
  const replies = await open(() => reply(500))
  replies[PATH] = () => reply(200, [requestedOne, documentNamed('a.pdf')])
  await uploadAnew([pdf('a.pdf')])
  expect(titles()).toEqual(['a.pdf', 'DD Form 214'])
})

it('replaces a document after confirmation, without adding a card', async () => {
  const sent = stubUploads()
  await open(() => reply(200, [uploadedOne]))
  await choose(uploadedOne.name, pdf('better.pdf'))
  expect(screen.getByRole('dialog')).toHaveTextContent(
    'Service treatment records.pdf will be replaced by better.pdf (9 bytes).',
  )
  expect(sent).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Replace' }))
  await advanceSeconds(0)
  expect(sent[0]!.url).toBe('/box/version/f1')
  sent[0]!.respond(200, { ...uploadedOne, name: 'renamed.jpg', sha256: 'b'.repeat(64) })
  await advanceSeconds(1)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByText('bbbb bbbb bbbb')).toBeInTheDocument()
  const sentence = 'Your document has been uploaded successfully!'
  expect(shown(sentence, 'status')).toBe(true)
  expect(shown('renamed.jpg', 'status')).toBe(true)
  await advanceSeconds(1.9)
  expect(shown(sentence, 'status')).toBe(true)
  await advanceSeconds(0.2)
  expect(shown(sentence, 'status')).toBe(false)
})

/** Chooses a file for the uploaded document, and confirms. */
async function replace(file = pdf()) {
  const sent = stubUploads()
  await open(() => reply(200, [uploadedOne]))
  await choose(uploadedOne.name, file)
  fireEvent.click(screen.getByRole('button', { name: 'Replace' }))
  await advanceSeconds(1)
  return sent
}

it('sends a photo as a replacement without the place where it was taken, and with a note', async () => {
  const sent = stubUploads()
  await open(() => reply(200, [{ ...uploadedOne, note: 'Page 3 is the important one.' }]))
  expect(screen.getByText('Your note: Page 3 is the important one.')).toBeVisible()
  const appendedVideo = new TextEncoder().encode('PLANTED-GPS of a video')
  await choose(uploadedOne.name, new File([photoWithOrientation(6), appendedVideo], 'photo.jpg'))
  // Code loads outside of the fake clock.
  await vi.waitFor(async () => {
    await advanceSeconds(0)
    fireEvent.click(button('Add a note (optional) about photo.jpg'))
  }, 60_000)
  const field = screen.getByRole('textbox', { name: 'Note (optional) about photo.jpg' })
  fireEvent.change(field, { target: { value: 'Page 2' } })
  fireEvent.click(button('Replace'))
  await advanceSeconds(0)
  expect(sent[0]!.form.get('note')).toBe('Page 2')
  expect(sent[0]!.file.size).toBe(photoWithOrientation(6).length)
  sent[0]!.respond(200, uploadedOne)
  await advanceSeconds(0)
})

it.each([
  [409, undefined, 'A document with the same name already exists.'],
  [422, 'It is locked.', 'It is locked.'],
])(
  'says that a replacement failed with %i, until it is dismissed',
  async (status, message, sentence) => {
    const sent = await replace()
    sent[0]!.respond(status, message && { code: 'x', message })
    await advanceSeconds(60)
    const alert = screen.getByRole('button', { name: /^Dismiss/ }).closest('[role=alert]')
    expect(alert).toHaveTextContent(`${uploadedOne.name}: ${sentence}`)
    expect(button(`Replace ${uploadedOne.name}`)).toHaveAccessibleDescription(sentence)
    expect(screen.queryByRole('button', { name: /^Try again/ })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: /^Dismiss/ }))
    expect(screen.queryByText(sentence)).toBeNull()
  },
)

it('offers to send a replacement again if it failed for another reason than its file', async () => {
  const sent = await replace(pdf('better.pdf'))
  sent[0]!.respond(500)
  await advanceSeconds(0)
  const sentence = 'Failed to replace document, please try again later.'
  expect(screen.getByText(sentence)).toBeVisible()
  fireEvent.click(button(`Try again to replace ${uploadedOne.name}`))
  await advanceSeconds(0)
  expect(screen.queryByText(sentence)).toBeNull()
  expect(sent[1]!.file.name).toBe('better.pdf')
  sent[1]!.respond(200, uploadedOne)
  await untilUploaded()
})

it('sends a replacement again by itself once the network is back', async () => {
  const sent = await replace()
  sent[0]!.disconnect()
  await advanceSeconds(0)
  dispatchEvent(new Event('online'))
  while (sent.length < 2) await advanceSeconds(0)
  sent[1]!.respond(200, uploadedOne)
  await untilUploaded()
  expect(sent).toHaveLength(2)
})

it('refuses a wrong type with a toast of 5 seconds, and sends nothing', async () => {
  const sent = stubUploads()
  await open(() => reply(200, [uploadedOne]))
  await choose(uploadedOne.name, notes)
  expect(shown(WRONG_TYPE, 'alert')).toBe(true)
  await advanceSeconds(4.9)
  expect(shown(WRONG_TYPE, 'alert')).toBe(true)
  await advanceSeconds(0.2)
  expect(shown(WRONG_TYPE, 'alert')).toBe(false)
  expect(sent).toEqual([])
})

it('asks before leaving during a replacement, and cancels it without a failure message', async () => {
  const sent = await replace()
  const leave = () => dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(leave()).toBe(false)
  fireEvent.click(button(`Cancel upload of ${uploadedOne.name}`))
  await advanceSeconds(0)
  expect(sent[0]!.aborted).toBe(true)
  expect(leave()).toBe(true)
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(screen.queryByText(/Failed/)).toBeNull()
})
