import type { Document } from '@guidon/contract/documents'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderScreen, reply, stubNetwork } from '../../test/test-app.tsx'
import { Documents } from '../features/documents/Documents.tsx'
import { Uploads } from '../features/documents/upload/Uploads.tsx'
import { FileButtons } from '../features/viewing/FileButtons.tsx'

const uploaded: Document = {
  id: 'd1',
  name: 'Front.jpg',
  type: 'Other',
  boxFileId: 'f1',
  lastUploadedDate: '2026-11-15T15:42:00.000Z',
  size: 2_000,
  sha256: 'ab'.repeat(32),
  status: 'received',
}
const requested: Document = {
  ...uploaded,
  id: 'd2',
  name: 'DD Form 214',
  boxFileId: null,
  lastUploadedDate: null,
  size: null,
  sha256: null,
  status: 'requested',
}

it('where viewing is switched on, each card with a file has View and Download, and the note that viewing is disabled is gone', async () => {
  stubNetwork({ '/salesforce/documents/me': () => reply(200, [uploaded, requested]) })
  renderScreen(
    '/dashboard/home',
    <>
      <Documents fileButtons={({ id, name }) => <FileButtons id={id} name={name} />} />
      <Uploads />
    </>,
  )
  expect(await screen.findByRole('button', { name: 'View Front.jpg' })).toBeVisible()
  const cards = screen.getAllByRole('listitem').filter((item) => item.querySelector('h3'))
  const buttonsOf = (card: HTMLElement) =>
    within(card)
      .getAllByRole('button')
      .map((button) => button.textContent)
  expect(cards.map(buttonsOf)).toEqual([
    ['Upload DD Form 214'],
    ['View Front.jpg', 'Download Front.jpg', 'Replace Front.jpg'],
  ])
  expect(screen.queryByText(/Viewing uploaded files/)).toBeNull()
})
