import { documentExists } from '@guidon/contract/documents'
import { handOffGone, handOffTaken } from '@guidon/contract/hand-off'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { stubUploads, type FakeUpload } from '../../../test/fake-uploads.ts'
import { renderScreen, reply, stubNetwork, type Reply } from '../../../test/test-app.tsx'
import { PhonePage } from './PhonePage.tsx'

const TOKEN = 'x'.repeat(43)
const slot = { name: 'Discharge papers', state: 'connected', secondsLeft: 900 }
const pdf = new File(['%PDF-1.7'], 'orders.pdf', { type: 'application/pdf' })

function open(replies: Record<string, Reply>, onSend?: (upload: FakeUpload) => void, hash = TOKEN) {
  history.replaceState(null, '', `/phone#${hash}`)
  const requests = stubNetwork({ '/hand-offs/open': () => reply(200, slot), ...replies })
  const sent = stubUploads(onSend)
  renderScreen(
    '/phone',
    <PhonePage
      accept=".pdf"
      prepare={async (file) => file}
      check={async ({ name }) => (name.endsWith('.pdf') ? undefined : 'Only PDF and JPEG.')}
      renderPhotos={({ onBack, onJoined, onPagesChange }) => (
        <>
          <button onClick={() => onPagesChange(2)}>Take two</button>
          <button onClick={() => void onJoined(pdf)}>Send two</button>
          <button onClick={onBack}>Leave photos</button>
        </>
      )}
      renderProgress={({ sentFraction, failure }) => (
        <p>
          Sent {sentFraction}
          {failure && `, waits after status ${failure.status}`}
        </p>
      )}
    />,
  )
  return { requests, sent }
}
const choose = async (file = pdf) =>
  fireEvent.change(await screen.findByLabelText('File to send'), { target: { files: [file] } })
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const ARRIVED = 'We have your document. You can close this page.'
const arrived = () => screen.findByText(ARRIVED)

afterEach(() => vi.unstubAllGlobals())

it('opens the code of the address, and removes it from the address at once', async () => {
  const { requests } = open({})
  expect(location.hash).toBe('')
  expect(await screen.findByRole('heading', { name: 'Send Discharge papers' })).toBeVisible()
  expect(requests).toEqual([
    {
      path: '/hand-offs/open',
      body: { token: TOKEN, attempt: expect.stringMatching(/^[\w-]{43}$/) },
    },
  ])
})

it('is known by its cookie after a reload, and says what has arrived', async () => {
  const { requests } = open(
    { '/hand-offs/slot': () => reply(200, { ...slot, state: 'arrived' }) },
    undefined,
    '',
  )
  expect(await arrived()).toBeVisible()
  expect(requests.map(({ path }) => path)).toEqual(['/hand-offs/slot'])
})

it('waits after a reload while the file is received', async () => {
  const states = ['sending', 'arrived']
  const next = () => reply(200, { ...slot, state: states.shift() })
  open({ '/hand-offs/slot': next }, undefined, '')
  expect(await screen.findByRole('heading', { name: 'Receiving your document' })).toBeVisible()
  expect(await screen.findByText(ARRIVED)).toBeVisible()
})

it('repeats the same attempt on Try again after a lost connection', async () => {
  const { requests } = open({ '/hand-offs/open': () => Promise.reject(new TypeError('offline')) })
  await press('Try again')
  await vi.waitFor(() => expect(requests).toHaveLength(2), 60_000)
  expect(requests[0]).toEqual(requests[1])
})

it('shows why a code is refused, and offers no other try', async () => {
  open({ '/hand-offs/open': () => reply(handOffTaken.status, handOffTaken) })
  expect(await screen.findByText(handOffTaken.message)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

it('reports the number of photos, sends them as one file with the time in its name, and says that it arrived', async () => {
  const { requests, sent } = open({ '/hand-offs/pages': () => reply(200, slot) }, (upload) =>
    upload.respond(204),
  )
  await press('Take photos')
  await press('Take two')
  await press('Send two')
  expect(await arrived()).toBeVisible()
  expect(requests.at(-1)).toEqual({ path: '/hand-offs/pages', body: { pages: 2 } })
  expect(sent.map(({ url }) => url)).toEqual(['/hand-offs/file'])
  expect(sent[0]!.file.name).toMatch(/^orders \d\d\.\d\d\.\d\d\.pdf$/)
})

it('tells at once when the code has ended, before more photos are taken', async () => {
  const gone = { code: 'hand_off_gone', message: 'This code no longer works.' }
  open({ '/hand-offs/pages': () => reply(404, gone) })
  await press('Take photos')
  await press('Take two')
  expect(await screen.findByText(gone.message)).toBeVisible()
})

it('sends a file whose name is taken with the time in its name', async () => {
  const { sent } = open({}, (upload) => {
    if (upload.file.name === 'orders.pdf') upload.respond(409, documentExists)
    else upload.respond(204)
  })
  await choose()
  expect(await arrived()).toBeVisible()
  expect(sent[1]!.file.name).toMatch(/^orders \d\d\.\d\d\.\d\d\.pdf$/)
})

it('waits for the check of a file whose response was lost, and does not send it again', async () => {
  // Until the file is sent, the state stays as it is: a slow page may read it before.
  let states = [slot.state]
  const state = () => (states.length > 1 ? states.shift() : states[0])
  const { sent } = open(
    { '/hand-offs/slot': () => reply(200, { ...slot, state: state() }) },
    (upload) => {
      states = ['sending', 'arrived']
      upload.disconnect()
    },
  )
  await choose()
  expect(await screen.findByText('Sent 0, waits after status 0')).toBeVisible()
  expect(await screen.findByText(ARRIVED)).toBeVisible()
  expect(sent.filter(({ url }) => url === '/hand-offs/file')).toHaveLength(1)
})

it('sends a file again by itself after a lost connection', async () => {
  const { sent } = open({ '/hand-offs/slot': () => reply(200, slot) }, (upload) => {
    if (sent.length === 1) upload.disconnect()
    else upload.respond(204)
  })
  await choose()
  expect(await arrived()).toBeVisible()
  expect(sent).toHaveLength(2)
})

it('stops trying when the time of the code is over, and keeps the file for another try', async () => {
  const late = { ...slot, secondsLeft: 0 }
  const { sent } = open({ '/hand-offs/open': () => reply(200, late) }, (upload) => {
    if (sent.length === 1) upload.disconnect()
    else upload.respond(204)
  })
  await choose()
  const failure = await screen.findByText('Your document did not arrive. Please try again.')
  expect(failure.closest('[role=alert]')).not.toBeNull()
  await press('Try again')
  expect(await arrived()).toBeVisible()
})

it('says that the code is over when it ends while the file is sent', async () => {
  open({}, (upload) => upload.respond(handOffGone.status, handOffGone))
  await choose()
  expect(await screen.findByText(handOffGone.message)).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

it('keeps the photos when the user goes back', async () => {
  open({ '/hand-offs/pages': () => reply(200, slot) })
  await press('Take photos')
  await press('Take two')
  await press('Leave photos')
  expect(screen.getByText('Take two')).not.toBeVisible()
  await press('Back to your 2 photos')
  expect(screen.getByText('Take two')).toBeVisible()
})

it('refuses a wrong file before it is sent', async () => {
  const { sent } = open({})
  await choose(new File(['x'], 'notes.txt'))
  expect(await screen.findByText('Only PDF and JPEG.')).toBeVisible()
  expect(sent).toEqual([])
})
