import { fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { stubUploads } from '../../test/fake-uploads.ts'
import { renderScreen, reply, stubNetwork } from '../../test/test-app.tsx'
import { photoWithOrientation } from '../features/documents/photos/sample-photos.ts'
import { Phone } from './Phone.tsx'

afterEach(() => vi.unstubAllGlobals())

it('sends a single photo without camera data, under a name of its own', async () => {
  const place = new TextEncoder().encode('PLANTED-GPS')
  const comment = new Uint8Array([0xff, 0xfe, 0, place.length + 2, ...place])
  const bytes = photoWithOrientation(6)
  const photo = new File([bytes.slice(0, 2), comment, bytes.slice(2)], 'image.jpg', {
    type: 'image/jpeg',
  })
  stubNetwork({
    '/hand-offs/slot': () => reply(200, { name: null, state: 'connected', secondsLeft: 900 }),
  })
  const sent = stubUploads((upload) => upload.respond(204))
  renderScreen('/phone', <Phone />)
  const input = await screen.findByLabelText('File to send')
  fireEvent.change(input, { target: { files: [photo] } })
  expect(await screen.findByText(/^We have your document/)).toBeVisible()
  expect(new Uint8Array(await sent[0]!.file.arrayBuffer())).toEqual(bytes)
  expect(sent[0]!.file.name).toMatch(/^Photo \d{4}-/)
})
