import type { Document } from '@guidon/contract/documents'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubUploads, type FakeUpload } from '../../../../test/fake-uploads.ts'
import { stubNetwork, renderScreen, reply, type Reply } from '../../../../test/test-app.tsx'
import { notes, pdf, uploadedOne } from '../sample-documents.ts'
import { UploadDialog } from './UploadDialog.tsx'

// Queries by role in a dialog are slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const CATEGORIES = '/salesforce/document-categories/me'

const advanceSeconds = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
const dialog = () => screen.queryByRole('dialog', { name: 'Upload Documents' })
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

function answering(upload: FakeUpload): void {
  const { name } = upload.file
  const created: Document = { ...uploadedOne, id: name, name }
  upload.respond(201, created)
}

async function open(
  handleSend?: (upload: FakeUpload) => void,
  categories: Reply = () => reply(200, ['Discharge papers', 'Medical records', 'Other']),
) {
  const sent = stubUploads(handleSend)
  stubNetwork({ [CATEGORIES]: categories })
  const [onClose, onUploaded] = [vi.fn<() => void>(), vi.fn<(made: Document) => void>()]
  renderScreen('/dashboard/home', <UploadDialog open onClose={onClose} onUploaded={onUploaded} />)
  await advanceSeconds(0)
  return { sent, onClose, onUploaded }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('uploads files with their categories, says so, and closes 2 seconds later', async () => {
  const { sent, onClose, onUploaded } = await open(answering)
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
  expect(onUploaded.mock.calls.map(([made]) => made.name)).toEqual(['a.pdf', 'b.pdf'])
  await advanceSeconds(1.9)
  expect(onClose).not.toHaveBeenCalled()
  await advanceSeconds(0.2)
  expect(onClose).toHaveBeenCalledOnce()
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

it('refuses a wrong type at once, by its content too, and keeps the good ones', async () => {
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
  const { sent } = await open(answering)
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
  await open(undefined, () => reply(503))
  await add(pdf('a.pdf'))
  expect(options('a.pdf')).toEqual(['Other'])
})

it('keeps the failed files, with a line for each, and sends only them again', async () => {
  const answers: Record<string, (upload: FakeUpload) => void> = {
    'same.pdf': (upload) => upload.respond(409),
    'locked.pdf': (upload) => upload.respond(422, { code: 'x', message: 'It is locked.' }),
  }
  const { sent, onClose } = await open((upload) => (answers[upload.file.name] ?? answering)(upload))
  await add(pdf('good.pdf'), pdf('same.pdf'), pdf('locked.pdf'))
  for (const name of rows()) choose(name, 'Other')
  press('Upload')
  await advanceSeconds(0)
  const alert = inside().getByText('Failed to upload:').closest('[role=alert]')!
  expect(
    within(alert as HTMLElement)
      .getAllByRole('listitem')
      .map((line) => line.textContent),
  ).toEqual([
    'same.pdf: A document with the same name already exists.',
    'locked.pdf: It is locked.',
  ])
  expect(rows()).toEqual(['same.pdf', 'locked.pdf'])
  expect(inside().getByText('Successfully uploaded documents good.pdf')).toBeVisible()
  await advanceSeconds(5)
  expect(onClose).not.toHaveBeenCalled()

  press('Remove same.pdf')
  delete answers['locked.pdf']
  press('Try again')
  await advanceSeconds(0)
  expect(sent.map(({ file }) => file.name)).toEqual([
    'good.pdf',
    'same.pdf',
    'locked.pdf',
    'locked.pdf',
  ])
  expect(inside().getByText('Successfully uploaded documents good.pdf, locked.pdf')).toBeVisible()
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
  const { sent, onClose } = await open()
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
  fireEvent.keyDown(dialog()!, { key: 'Escape' })
  expect(onClose).not.toHaveBeenCalled()
  press('Cancel a.pdf')
  await advanceSeconds(0)
  expect(sent[0]!.aborted).toBe(true)
  expect(sent[1]!.file.name).toBe('b.pdf')
  press('Stop uploading')
  await advanceSeconds(0)
  expect(rows()).toEqual(['a.pdf', 'b.pdf'])
  expect(inside().queryByText('Failed to upload:')).toBeNull()
  expect(inside().getByRole('button', { name: 'Upload' })).toBeVisible()
})
