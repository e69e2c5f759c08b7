import { documentExists, type Document } from '@guidon/contract/documents'
import { tooManyUnfinished, type UnfinishedUpload } from '@guidon/contract/resumable-uploads'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { stubUploads, type FakeUpload } from '../../../../test/fake-uploads.ts'
import { renderScreen, reply, stubNetwork } from '../../../../test/test-app.tsx'
// Imports without a name: lazy code, loaded in advance so that no test waits for it.
import '../../../api/resumable/send-in-parts.ts'
import { requestedOne, uploadedOne } from '../sample-documents.ts'
import '../unfinished/UnfinishedUploads.tsx'
import './UploadDialog.tsx'
import { useUploads } from './uploads.ts'
import { Uploads } from './Uploads.tsx'

const SIZE = 6 * 1024 * 1024
const large = new File(['%PDF-', new Uint8Array(SIZE - 5)], 'scan.pdf', { type: 'application/pdf' })
const createdDocument: Document = { ...uploadedOne, id: 'n1', name: 'scan.pdf' }

const OLDER: UnfinishedUpload = {
  id: 'u0',
  name: 'older.pdf',
  size: SIZE,
  offset: 0,
  expiresAt: '2099-11-17T14:12:00.000Z',
  documentType: 'Other',
  documentId: null,
  replaces: null,
  note: null,
  chunks: [],
}

const dialog = () => screen.getByRole('dialog', { name: /^Upload / })
const inside = () => within(dialog())
const press = (name: string) => fireEvent.click(inside().getByRole('button', { name }))

function Opener() {
  const { openDialog } = useUploads()
  return (
    <>
      <button onClick={() => openDialog(requestedOne)}>Open</button>
      <Uploads />
    </>
  )
}

const ANSWERS: Record<string, (upload: FakeUpload) => void> = {
  'POST /uploads/me': (one) => one.respond(201, undefined, { Location: '/uploads/me/u1' }),
  'PATCH /uploads/me/u1': (one) => one.respond(204, undefined, { 'Upload-Offset': String(SIZE) }),
  'POST /uploads/me/u1/finish': (one) => one.respond(201, createdDocument),
  'DELETE /uploads/me/u1': (one) => one.respond(204),
}

/** Uploads the large file for a request. `answers`: instead of the usual ones. */
async function upload(answers: typeof ANSWERS = {}, unfinished: UnfinishedUpload[] = []) {
  const sent = stubUploads((one) => {
    const request = `${one.method} ${one.url}`
    queueMicrotask(() => (answers[request] ?? ANSWERS[request])?.(one))
  })
  stubNetwork({
    '/salesforce/documents/me': () => reply(200, [requestedOne]),
    '/salesforce/document-categories/me': () => reply(200, []),
    '/uploads/me': () => reply(200, unfinished),
  })
  renderScreen('/dashboard/home', <Opener />)
  fireEvent.click(screen.getByRole('button', { name: 'Open' }))
  await screen.findByRole('dialog')
  const input = dialog().querySelector('input[type=file]')!
  fireEvent.change(input, { target: { files: [large] } })
  await inside().findByRole('button', { name: 'Remove scan.pdf' })
  press('Upload')
  return sent
}

const requestsOf = (sent: readonly FakeUpload[]) =>
  sent.map(({ method, url }) => `${method} ${url}`)

/** Waits for the request with the bytes of the file. */
const partOf = (sent: readonly FakeUpload[]) =>
  waitFor(() => {
    const part = sent.find(({ method }) => method === 'PATCH')
    expect(part).toBeDefined()
    return part!
  })

afterEach(() => void vi.unstubAllGlobals())

it('sends a large file in parts, with its type and request', async () => {
  const sent = await upload()
  await inside().findByText('Your document has been uploaded successfully!')
  expect(requestsOf(sent)).toEqual([
    'POST /uploads/me',
    'PATCH /uploads/me/u1',
    'POST /uploads/me/u1/finish',
  ])
  const fields = ['filename scan.pdf', 'documentType Discharge papers', 'documentId r1']
  expect(sent[0]!.headers['Upload-Metadata']).toBe(
    fields
      .map((field) => field.replace(/ (.*)/, (_, value: string) => ` ${btoa(value)}`))
      .join(','),
  )
})

it('says that the connection is lost, and continues without a press of a button', async () => {
  let online = false
  const answer = (one: FakeUpload) =>
    online ? one.respond(200, undefined, { 'Upload-Offset': '0' }) : one.disconnect()
  const sent = await upload({
    'PATCH /uploads/me/u1': (one) =>
      online ? ANSWERS['PATCH /uploads/me/u1']!(one) : one.disconnect(),
    'HEAD /uploads/me/u1': answer,
  })
  const words = await inside().findByText('Connection lost. We continue as soon as it is back.')
  expect(words).toHaveRole('status')
  expect(inside().getByText('Uploading… 0%')).toBeVisible()
  online = true
  dispatchEvent(new Event('online'))
  await inside().findByText('Your document has been uploaded successfully!')
  expect(requestsOf(sent).at(-1)).toBe('POST /uploads/me/u1/finish')
})

it('deletes what the server has when the user cancels', async () => {
  const sent = await upload({ 'PATCH /uploads/me/u1': () => {} })
  await partOf(sent)
  press('Cancel scan.pdf')
  await waitFor(() => expect(requestsOf(sent).at(-1)).toBe('DELETE /uploads/me/u1'))
  expect(inside().getByRole('button', { name: 'Upload' })).toBeVisible()
})

it('keeps what the server has when the user stops', async () => {
  const sent = await upload({ 'PATCH /uploads/me/u1': () => {} })
  const part = await partOf(sent)
  expect(inside().getByText(/we keep what we have of a large file for 24 hours/)).toBeVisible()
  press('Stop uploading')
  await inside().findByRole('button', { name: 'Upload' })
  await waitFor(() => expect(part.aborted).toBe(true))
  expect(requestsOf(sent.slice(sent.indexOf(part) + 1))).toEqual([])
})

it('does not send the file again when its name was taken meanwhile', async () => {
  let refuse = true
  const stored: UnfinishedUpload = { ...OLDER, id: 'u1', name: 'scan.pdf', offset: SIZE }
  const sent = await upload(
    {
      'POST /uploads/me/u1/finish': (one) =>
        refuse ? one.respond(409, documentExists) : one.respond(201, createdDocument),
      'HEAD /uploads/me/u1': (one) =>
        one.respond(200, undefined, { 'Upload-Offset': String(SIZE) }),
    },
    [stored],
  )
  const name = await inside().findByRole('textbox', { name: 'New name of scan.pdf' })
  expect(name).toHaveValue('scan (2).pdf')
  refuse = false
  fireEvent.change(name, { target: { value: 'scan 2019.pdf' } })
  press('Upload')
  await inside().findByText('Your document has been uploaded successfully!')
  expect(requestsOf(sent)).toEqual([
    'POST /uploads/me',
    'PATCH /uploads/me/u1',
    'POST /uploads/me/u1/finish',
    'HEAD /uploads/me/u1',
    'POST /uploads/me/u1/finish',
  ])
  expect(sent.at(-1)!.headers['Upload-Metadata']).toBe(`filename ${btoa('scan 2019.pdf')}`)
})

it('shows the unfinished uploads when there are too many of them', async () => {
  await upload({ 'POST /uploads/me': (one) => one.respond(429, tooManyUnfinished) }, [OLDER])
  await inside().findByText(`scan.pdf: ${tooManyUnfinished.message}`)
  await inside().findByRole('button', { name: 'Remove the unfinished upload of older.pdf' })
  expect(inside().getByRole('button', { name: 'Try again' })).toBeVisible()
})
