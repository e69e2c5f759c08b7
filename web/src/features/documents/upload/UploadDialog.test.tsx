import type { Document } from '@guidon/contract/documents'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubUploads, type FakeUpload } from '../../../../test/fake-uploads.ts'
import { stubNetwork, renderScreen, reply, type Reply } from '../../../../test/test-app.tsx'
import { photoWithOrientation } from '../photos/sample-photos.ts'
import { notes, pdf, requestedOne, uploadedOne } from '../sample-documents.ts'
// Loaded in advance, because dynamic imports do not follow the fake clock.
import '../../../api/upload.ts'
import '../photos/clean-photo.ts'
import './UploadDialog.tsx'
import { useUploads } from './uploads.ts'
import { Uploads } from './Uploads.tsx'

const CATEGORIES = '/salesforce/document-categories/me'
const DOCUMENTS = '/salesforce/documents/me'

const advanceSeconds = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
const dialog = () => screen.queryByRole('dialog', { name: /^Upload / })
const inside = () => within(dialog()!)
const press = (name: string) => fireEvent.click(inside().getByRole('button', { name }))
const field = (name: string) => inside().getByRole('combobox', { name: `Category of ${name}` })
const choose = (name: string, category: string) =>
  fireEvent.change(field(name), { target: { value: category } })
const options = (name: string) =>
  within(field(name))
    .getAllByRole('option')
    .slice(1)
    .map((option) => option.textContent)
const rows = () =>
  inside()
    .queryAllByRole('combobox')
    .map((select) => select.getAttribute('aria-label')!.replace('Category of ', ''))

async function add(...files: File[]): Promise<void> {
  const input = dialog()!.querySelector('input[type=file]')!
  fireEvent.change(input, { target: { files } })
  await advanceSeconds(0)
}

function accepting(upload: FakeUpload): void {
  const { name } = upload.file
  const created: Document = { ...uploadedOne, id: name, name }
  upload.respond(201, created)
}

function Opener({ request }: { request: Document | undefined }) {
  const { openDialog } = useUploads()
  return (
    <>
      <h1 tabIndex={-1}>Home</h1>
      <button onClick={() => openDialog(request)}>Open</button>
      <button onClick={() => openDialog({ ...requestedOne, id: 'another' })}>
        Open another request
      </button>
      <Uploads />
    </>
  )
}

interface Options {
  categories?: Reply
  documents?: Document[]
  request?: Document
}

async function open(
  handleSend?: (upload: FakeUpload) => void,
  {
    categories = () => reply(200, ['Discharge papers', 'Medical records', 'Other']),
    documents = [],
    request,
  }: Options = {},
) {
  const sent = stubUploads(handleSend)
  stubNetwork({ [CATEGORIES]: categories, [DOCUMENTS]: () => reply(200, documents) })
  renderScreen('/dashboard/home', <Opener request={request} />)
  const opener = screen.getByRole('button', { name: 'Open' })
  opener.focus()
  fireEvent.click(opener)
  // The code of the dialog loads outside of the fake clock.
  await vi.waitFor(async () => {
    await advanceSeconds(0)
    expect(dialog()).not.toBeNull()
  }, 60_000)
  await advanceSeconds(0)
  return { sent, opener }
}

const expectClosed = async () => {
  await advanceSeconds(1)
  expect(dialog()).toBeNull()
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('uploads files with their categories, says so, and closes 2 seconds later', async () => {
  const { sent, opener } = await open(accepting)
  await add(pdf('a.pdf'), pdf('b.pdf'))
  choose('a.pdf', 'Medical records')
  choose('b.pdf', 'Other')
  press('Upload')
  await advanceSeconds(0)
  expect(sent.map(({ form }) => [form.get('documentType'), form.get('documentId')])).toEqual([
    ['Medical records', null],
    ['Other', null],
  ])
  expect(inside().getByText('Successfully uploaded documents a.pdf, b.pdf')).toBeVisible()
  expect(inside().getByRole('button', { name: 'Close' })).toHaveFocus()
  await advanceSeconds(1.9)
  expect(dialog()).toBeVisible()
  await advanceSeconds(0.2)
  await expectClosed()
  expect(opener).toHaveFocus()
})

it('accepts at most 3 files at a time, over several picks', async () => {
  await open()
  await add(pdf('a.pdf'), pdf('b.pdf'))
  await add(pdf('c.pdf'), pdf('d.pdf'))
  expect(inside().getByText('You can only upload up to 3 documents at a time.')).toBeVisible()
  expect(rows()).toEqual(['a.pdf', 'b.pdf', 'c.pdf'])
  press('Remove b.pdf')
  await add(pdf('d.pdf'))
  expect(inside().queryByText(/You can only/)).toBeNull()
  expect(rows()).toEqual(['a.pdf', 'c.pdf', 'd.pdf'])
})

it('refuses a wrong type at once, by name or by content, and keeps the good files', async () => {
  const { sent } = await open()
  const disguised = new File(['hello'], 'letter.pdf', { type: 'application/pdf' })
  await add(notes, pdf('a.pdf'), disguised)
  const alert = inside().getByText('Only PDF and JPEG files are accepted.').closest('[role=alert]')
  expect(alert).toHaveTextContent('notes.txt')
  expect(alert).toHaveTextContent('letter.pdf')
  expect(rows()).toEqual(['a.pdf'])
  expect(sent).toEqual([])
})

it('requires a category for each file', async () => {
  const { sent } = await open(accepting)
  await add(pdf('a.pdf'), pdf('b.pdf'))
  choose('a.pdf', 'Other')
  press('Upload')
  await advanceSeconds(0)
  expect(field('b.pdf')).toHaveFocus()
  expect(field('b.pdf')).toBeInvalid()
  expect(field('b.pdf')).toHaveAccessibleDescription('Please select a category for each file.')
  expect(sent).toEqual([])
  choose('b.pdf', 'Other')
  expect(inside().queryByText('Please select a category for each file.')).toBeNull()
})

it('hides a category that is chosen for another file, except Other', async () => {
  await open()
  await add(pdf('a.pdf'), pdf('b.pdf'), pdf('c.pdf'))
  choose('a.pdf', 'Medical records')
  choose('b.pdf', 'Other')
  expect(options('a.pdf')).toEqual(['Discharge papers', 'Medical records', 'Other'])
  expect(options('c.pdf')).toEqual(['Discharge papers', 'Other'])
})

it('offers Other when categories cannot be fetched', async () => {
  await open(undefined, { categories: () => reply(503) })
  await add(pdf('a.pdf'))
  expect(options('a.pdf')).toEqual(['Other'])
})

const refusing = (upload: FakeUpload) =>
  upload.respond(422, { code: 'file_protected', message: 'It is locked.' })

it('keeps the failed files, with a line for each, and sends again only what can succeed', async () => {
  const answers: Record<string, (upload: FakeUpload) => void> = {
    'busy.pdf': (upload) => upload.respond(503),
    'locked.pdf': refusing,
  }
  const { sent } = await open((upload) => (answers[upload.file.name] ?? accepting)(upload))
  await add(pdf('good.pdf'), pdf('busy.pdf'), pdf('locked.pdf'))
  for (const name of rows()) choose(name, 'Other')
  press('Upload')
  await advanceSeconds(0)
  const alert = inside().getByText('Failed to upload:').closest('[role=alert]')!
  expect(
    within(alert as HTMLElement)
      .getAllByRole('listitem')
      .map((line) => line.textContent),
  ).toEqual([
    'busy.pdf: Failed to upload document, please try again later.',
    'locked.pdf: It is locked.',
  ])
  expect(inside().getByText('Successfully uploaded documents good.pdf')).toBeVisible()
  expect(inside().getByRole('button', { name: 'Done' })).toBeVisible()
  expect(
    inside().getByRole('button', { name: 'Choose another file in place of locked.pdf' }),
  ).toHaveAccessibleDescription('It is locked.')
  await advanceSeconds(5)
  expect(dialog()).toBeVisible()

  delete answers['busy.pdf']
  press('Try again')
  await advanceSeconds(0)
  expect(sent.map(({ file }) => file.name)).toEqual([
    'good.pdf',
    'busy.pdf',
    'locked.pdf',
    'busy.pdf',
  ])
  expect(inside().getByText('Successfully uploaded documents good.pdf, busy.pdf')).toBeVisible()
  expect(inside().queryByRole('button', { name: /Try again|^Upload$/ })).toBeNull()
  press('Done')
  await expectClosed()
})

it('takes another file in place of one that the server refused', async () => {
  const { sent } = await open((upload) =>
    upload.file.name === 'locked.pdf' ? refusing(upload) : accepting(upload),
  )
  await add(pdf('locked.pdf'))
  choose('locked.pdf', 'Medical records')
  press('Upload')
  await advanceSeconds(0)
  const another = inside().getByRole('button', { name: /^Choose another file/ })
  expect(another).toHaveFocus()
  const input = inside().getByLabelText('File in place of locked.pdf')
  fireEvent.change(input, { target: { files: [notes] } })
  await advanceSeconds(0)
  expect(another).toHaveAccessibleDescription('Only PDF and JPEG files are accepted.')
  fireEvent.change(inside().getByLabelText('File in place of notes.txt'), {
    target: { files: [pdf('copy.pdf')] },
  })
  await advanceSeconds(0)
  expect(inside().queryByText('Failed to upload:')).toBeNull()
  press('Upload')
  await advanceSeconds(0)
  expect(sent.map(({ file, form }) => [file.name, form.get('documentType')])).toEqual([
    ['locked.pdf', 'Medical records'],
    ['copy.pdf', 'Medical records'],
  ])
})

it('keeps the focus at the file that was exchanged, if the other one cannot be sent either', async () => {
  await open(refusing)
  await add(pdf('first.pdf'))
  await add(pdf('second.pdf'))
  choose('first.pdf', 'Medical records')
  choose('second.pdf', 'Other')
  press('Upload')
  await advanceSeconds(0)
  fireEvent.change(inside().getByLabelText('File in place of second.pdf'), {
    target: { files: [notes] },
  })
  await advanceSeconds(0)
  expect(
    inside().getByRole('button', { name: 'Choose another file in place of notes.txt' }),
  ).toHaveFocus()
})

it('offers a free name after a 409, and sends the file with that name or the one typed', async () => {
  const documents = [
    { ...uploadedOne, name: 'rating.pdf' },
    { ...uploadedOne, name: 'Rating (2).PDF' },
  ]
  const taken = new Set(['rating.pdf', 'mine.pdf'])
  const { sent } = await open(
    (upload) => (taken.has(upload.file.name) ? upload.respond(409) : accepting(upload)),
    { documents },
  )
  await add(pdf('rating.pdf'))
  choose('rating.pdf', 'Other')
  press('Upload')
  await advanceSeconds(0)
  expect(
    inside().getByText('rating.pdf: A document with the same name already exists.'),
  ).toBeVisible()
  const name = () => inside().getByRole('textbox', { name: 'New name of rating.pdf' })
  expect(name()).toHaveValue('rating (3).pdf')
  expect(name()).toHaveAccessibleDescription('A document with the same name already exists.')
  fireEvent.change(name(), { target: { value: 'mine.pdf' } })
  press('Upload')
  await advanceSeconds(0)
  expect(name()).toHaveValue('mine (2).pdf')
  press('Upload')
  await advanceSeconds(0)
  expect(sent.map(({ file }) => file.name)).toEqual(['rating.pdf', 'mine.pdf', 'mine (2).pdf'])
  expect(inside().getByText('Successfully uploaded documents mine (2).pdf')).toBeVisible()
})

it('uploads one file for a request, with its type and id, and offers photos as an equal choice', async () => {
  const { sent } = await open(accepting, { documents: [requestedOne], request: requestedOne })
  expect(dialog()).toHaveAccessibleName('Upload DD Form 214')
  expect(inside().getByRole('button', { name: /^Choose a file/ })).toBeVisible()
  expect(inside().getByRole('button', { name: /^Take or join photos/ })).toBeVisible()
  await add(pdf('a.pdf'), pdf('b.pdf'))
  expect(inside().getByText(/^This request takes one file\./)).toBeVisible()
  expect(inside().queryByRole('combobox')).toBeNull()
  expect(inside().queryByRole('button', { name: /^Choose a file/ })).toBeNull()
  expect(inside().getByRole('button', { name: 'Upload' })).toHaveFocus()
  press('Upload')
  await advanceSeconds(0)
  expect(
    sent.map(({ file, form }) => [file.name, form.get('documentType'), form.get('documentId')]),
  ).toEqual([['a.pdf', 'Discharge papers', 'r1']])
  expect(inside().getByText('Your document has been uploaded successfully!')).toBeVisible()
  await advanceSeconds(2)
  await expectClosed()
})

it('says so when the request was answered elsewhere, instead of asking for another name', async () => {
  await open((upload) => upload.respond(409), { documents: [], request: requestedOne })
  await add(pdf('a.pdf'))
  press('Upload')
  await advanceSeconds(0)
  expect(inside().getAllByText(/We already have a document for this request\./)).not.toEqual([])
  expect(inside().queryByRole('textbox')).toBeNull()
})

const question = () => screen.queryByRole('dialog', { name: 'Discard the files you picked?' })

it('asks before Escape discards picked files, and keeps them on Keep them', async () => {
  const { opener } = await open()
  await add(pdf('a.pdf'))
  fireEvent.keyDown(dialog()!, { key: 'Escape' })
  expect(question()).toBeVisible()
  fireEvent.click(within(question()!).getByRole('button', { name: 'Keep them' }))
  await advanceSeconds(1)
  expect(question()).toBeNull()
  expect(rows()).toEqual(['a.pdf'])
  fireEvent.keyDown(dialog()!, { key: 'Escape' })
  fireEvent.click(within(question()!).getByRole('button', { name: 'Discard' }))
  await expectClosed()
  expect(opener).toHaveFocus()
})

it('closes on Escape without a question when nothing was picked', async () => {
  await open()
  fireEvent.keyDown(dialog()!, { key: 'Escape' })
  expect(question()).toBeNull()
  await expectClosed()
})

it('sends a photo without the place where it was taken', async () => {
  const { sent } = await open(accepting)
  const appendedVideo = new TextEncoder().encode('PLANTED-GPS of a video')
  await add(new File([photoWithOrientation(6), appendedVideo], 'photo.jpg', { type: 'image/jpeg' }))
  await vi.waitFor(async () => {
    await advanceSeconds(0)
    choose('photo.jpg', 'Other')
  }, 60_000)
  press('Upload')
  await advanceSeconds(0)
  expect(sent[0]!.file.name).toBe('photo.jpg')
  expect(sent[0]!.file.size).toBe(photoWithOrientation(6).length)
})

it('sends a note with the file that it is about', async () => {
  const { sent } = await open(accepting)
  await add(pdf('a.pdf'), pdf('b.pdf'))
  for (const name of rows()) choose(name, 'Other')
  press('Add a note (optional) about b.pdf')
  const note = inside().getByRole('textbox', { name: 'Note (optional) about b.pdf' })
  fireEvent.change(note, { target: { value: 'Page 3 is the important one.' } })
  press('Upload')
  await advanceSeconds(0)
  expect(sent.map(({ form }) => form.get('note'))).toEqual([null, 'Page 3 is the important one.'])
})

it('moves the focus to the next file after Remove, and from the last one to the choice of files', async () => {
  await open()
  await add(pdf('a.pdf'), pdf('b.pdf'), pdf('c.pdf'))
  press('Remove b.pdf')
  expect(inside().getByRole('button', { name: 'Remove c.pdf' })).toHaveFocus()
  press('Remove c.pdf')
  expect(inside().getByRole('button', { name: 'Remove a.pdf' })).toHaveFocus()
  press('Remove a.pdf')
  expect(inside().getByRole('button', { name: /^Drag and drop/ })).toHaveFocus()
})

it('does not speak of dragging on a touch screen', async () => {
  vi.stubGlobal('matchMedia', (media: string) => ({
    media,
    matches: media === '(pointer: coarse)',
    addListener: () => {},
    removeListener: () => {},
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  await open()
  expect(inside().getByRole('button', { name: /^Choose files/ })).toBeVisible()
  expect(inside().queryByText(/drag/i)).toBeNull()
})

it('keeps the file when the network is cut, and sends it again when the network is back', async () => {
  let online = false
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online)
  const { sent } = await open((upload) => (online ? accepting(upload) : upload.disconnect()))
  await add(pdf('a.pdf'))
  choose('a.pdf', 'Other')
  press('Upload')
  await advanceSeconds(0)
  expect(inside().getByText(/^You are offline\. The file stays here/)).toBeVisible()
  expect(inside().getByRole('button', { name: 'Try again' })).toBeVisible()
  online = true
  dispatchEvent(new Event('online'))
  await advanceSeconds(0)
  expect(sent).toHaveLength(2)
  expect(inside().getByText('Successfully uploaded documents a.pdf')).toBeVisible()
})

it('shows an unexpected error', async () => {
  await open(() => {
    throw new TypeError('no')
  })
  await add(pdf('a.pdf'))
  choose('a.pdf', 'Other')
  press('Upload')
  await advanceSeconds(0)
  expect(
    inside().getByText('a.pdf: An unexpected error occurred while uploading documents.'),
  ).toBeVisible()
})

it('sends files one after the other, shows the progress of each, and can cancel each', async () => {
  const { sent } = await open()
  await add(pdf('a.pdf'), pdf('b.pdf'))
  for (const name of rows()) choose(name, 'Other')
  press('Upload')
  await advanceSeconds(0)
  expect(sent).toHaveLength(1)
  act(() => sent[0]!.progress(0.5))
  expect(inside().getByRole('progressbar', { name: 'Upload of a.pdf' })).toHaveAttribute(
    'aria-valuenow',
    '50',
  )
  press('Cancel a.pdf')
  await advanceSeconds(0)
  await vi.waitFor(() => expect(sent[0]!.aborted).toBe(true), 60_000)
  expect(sent[1]!.file.name).toBe('b.pdf')
  press('Stop uploading')
  await advanceSeconds(0)
  expect(rows()).toEqual(['a.pdf', 'b.pdf'])
  expect(inside().queryByText('Failed to upload:')).toBeNull()
  expect(inside().getByRole('button', { name: 'Upload' })).toBeVisible()
})

it('continues the upload when the dialog is closed, and reports the result on the screen', async () => {
  const { sent } = await open()
  await add(pdf('a.pdf'), pdf('b.pdf'))
  for (const name of rows()) choose(name, 'Other')
  press('Upload')
  await advanceSeconds(0)
  press('Close and keep uploading')
  await expectClosed()
  expect(screen.getByRole('progressbar', { name: 'Upload of a.pdf' })).toBeVisible()
  accepting(sent[0]!)
  await advanceSeconds(0)
  sent[1]!.respond(503)
  await advanceSeconds(0)
  expect(screen.getByText('Successfully uploaded documents a.pdf')).toBeVisible()
  const failure = 'b.pdf: Failed to upload document, please try again later.'
  await advanceSeconds(60)
  expect(screen.queryByText(/Successfully/)).toBeNull()
  expect(screen.getByText(failure).closest('[role=alert]')).not.toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Show the files that failed' }))
  await advanceSeconds(0)
  press('Try again')
  await advanceSeconds(0)
  accepting(sent[2]!)
  await advanceSeconds(2)
  await expectClosed()
  expect(screen.queryByText(failure)).toBeNull()
  expect(screen.getByRole('heading', { name: 'Home' })).toHaveFocus()
})

it('returns the focus to Take or join photos after Back from joining photos', async () => {
  await open(undefined, { request: requestedOne })
  const choice = () => inside().getByRole('button', { name: /^Take or join photos/ })
  fireEvent.click(choice())
  await vi.waitFor(async () => {
    await advanceSeconds(0)
    press('Back')
  }, 60_000)
  expect(choice()).toHaveFocus()
})

it('stays open while photos are joined, although another file has been uploaded', async () => {
  const { sent } = await open()
  await add(pdf('a.pdf'))
  choose('a.pdf', 'Other')
  press('Upload')
  await advanceSeconds(0)
  fireEvent.click(inside().getByRole('button', { name: /^Join photos/ }))
  await vi.waitFor(async () => {
    await advanceSeconds(0)
    expect(inside().getByRole('button', { name: 'Add photos' })).toBeVisible()
  }, 60_000)
  accepting(sent[0]!)
  await advanceSeconds(10)
  expect(inside().getByRole('button', { name: 'Add photos' })).toBeVisible()
})

it('does not report an upload in the background as the document of another request that is open', async () => {
  const { sent } = await open(undefined, { request: requestedOne })
  await add(pdf('a.pdf'))
  press('Upload')
  await advanceSeconds(0)
  press('Close and keep uploading')
  await expectClosed()
  fireEvent.click(screen.getByRole('button', { name: 'Open another request' }))
  await advanceSeconds(0)
  accepting(sent[0]!)
  await advanceSeconds(10)
  expect(inside().queryByText('Your document has been uploaded successfully!')).toBeNull()
  expect(inside().getByRole('button', { name: /^Choose a file/ })).toBeVisible()
})
