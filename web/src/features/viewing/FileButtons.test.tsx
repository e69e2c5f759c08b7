import { fileGone } from '@guidon/contract/viewing'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { renderScreen, reply, stubNetwork } from '../../../test/test-app.tsx'
import { FileButtons } from './FileButtons.tsx'

const OWN = '/documents/me/d1/content'
const OF_VETERAN = '/admin/users/u1/documents/d1/content'

const click = (name: string) => userEvent.click(screen.getByRole('button', { name }))

function show(name: string, replies: Parameters<typeof stubNetwork>[0], userId?: string) {
  const requests = stubNetwork(replies)
  renderScreen('/dashboard/home', <FileButtons id="d1" name={name} userId={userId} />)
  return requests
}

afterEach(() => vi.restoreAllMocks())

it('shows a photo in a dialog, with larger and smaller steps', async () => {
  show('Front.JPG', { [`${OWN}?as=check`]: () => reply(204) })
  await click('View Front.JPG')
  const photo = await screen.findByRole('img', { name: 'Front.JPG' })
  expect(photo).toHaveAttribute('src', `${OWN}?as=view`)
  expect(screen.getByText('Loading…')).toBeVisible()
  fireEvent.load(photo)
  expect(screen.queryByText('Loading…')).toBeNull()
  await click('Larger')
  await click('Larger')
  await click('Larger')
  expect(photo).toHaveStyle({ width: '400%' })
  await click('Smaller')
  expect(photo).toHaveStyle({ width: '200%' })
  await click('Close')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('button', { name: 'View Front.JPG' })).toHaveFocus()
})

it('says when a photo could not be loaded', async () => {
  show('Front.jpg', { [`${OWN}?as=check`]: () => reply(204) })
  await click('View Front.jpg')
  fireEvent.error(await screen.findByRole('img', { name: 'Front.jpg' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('We could not open this file.')
})

it.each([
  [undefined, OWN],
  ['u1', OF_VETERAN],
])('offers only the download of a PDF (userId %s)', async (userId, path) => {
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
    this: HTMLAnchorElement,
  ) {
    saved.push(`${this.getAttribute('href')} as ${this.download}`)
  })
  const requests = show('dd214.pdf', { [`${path}?as=check`]: () => reply(204) }, userId)
  expect(screen.queryByRole('button', { name: /View/ })).toBeNull()
  await click('Download dd214.pdf')
  await waitFor(() => expect(saved).toEqual([`${path}?as=download as dd214.pdf`]))
  expect(requests.map((request) => request.path)).toEqual([`${path}?as=check`])
})

it('says why a file cannot be opened, and downloads nothing', async () => {
  const save = vi.spyOn(HTMLAnchorElement.prototype, 'click')
  show('dd214.pdf', { [`${OWN}?as=check`]: () => reply(404, fileGone) })
  await click('Download dd214.pdf')
  expect(await screen.findByText(fileGone.message)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Download dd214.pdf' })).toHaveAccessibleDescription(
    fileGone.message,
  )
  expect(save).not.toHaveBeenCalled()
})
