import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderScreen } from '../../../../test/test-app.tsx'
import { PhotoJoiner } from './PhotoJoiner.tsx'
import { photoWithOrientation, sampleBytes } from './sample-photos.ts'

const photo = (name: string) => new File([sampleBytes('colour')], name, { type: 'image/jpeg' })
const pages = () =>
  within(screen.getByRole('list', { name: 'Pages' }))
    .getAllByRole('listitem')
    .map((row) => /[a-z]+\.jpg/.exec(row.textContent)![0])

async function open(files: File[], takenNames: string[] = []) {
  const onJoined = vi.fn<(pdf: File) => Promise<void>>(async () => {})
  renderScreen(
    '/dashboard/home',
    <PhotoJoiner
      takenNames={takenNames}
      onBack={() => {}}
      onJoined={onJoined}
      onPagesChange={() => {}}
    />,
  )
  expect(screen.getByRole('heading', { name: 'Join photos into one PDF' })).toHaveFocus()
  fireEvent.change(screen.getByLabelText('Photos of the pages'), { target: { files } })
  await screen.findByText('Name of the PDF')
  return onJoined
}

it('reorders pages by keyboard, turns them, and joins them into one PDF', async () => {
  const onJoined = await open([photo('one.jpg'), photo('two.jpg'), photo('three.jpg')])
  const up = screen.getByRole('button', { name: 'Up page 3' })
  up.focus()
  await userEvent.keyboard('{Enter}')
  expect(pages()).toEqual(['one.jpg', 'three.jpg', 'two.jpg'])
  expect(up).toHaveFocus()
  expect(screen.getByRole('status')).toHaveTextContent('Now page 2 of 3.')
  const down = screen.getByRole('button', { name: 'Down page 1' })
  down.focus()
  await userEvent.keyboard('{Enter}')
  expect(pages()).toEqual(['three.jpg', 'one.jpg', 'two.jpg'])
  expect(down).toHaveFocus()
  await userEvent.click(screen.getByRole('button', { name: 'Remove page 3' }))
  await userEvent.click(screen.getByRole('button', { name: 'Turn page 2' }))
  const name = screen.getByLabelText('Name of the PDF')
  await userEvent.clear(name)
  await userEvent.type(name, 'Service records')
  await userEvent.click(screen.getByRole('button', { name: 'Join 2 pages' }))
  const pdf = onJoined.mock.calls[0]![0]
  expect([pdf.name, pdf.type]).toEqual(['Service records.pdf', 'application/pdf'])
  const text = await pdf.text()
  expect([...text.matchAll(/\/Rotate (\d+)/g)].map(([, turn]) => turn)).toEqual(['0', '90'])
})

it('joins photos without what says where they were taken', async () => {
  const appendedVideo = new TextEncoder().encode('PLANTED-GPS of a video')
  const onJoined = await open([new File([photoWithOrientation(6), appendedVideo], 'one.jpg')])
  await userEvent.click(screen.getByRole('button', { name: 'Make PDF' }))
  const text = await onJoined.mock.calls[0]![0].text()
  expect(text).toContain('/Rotate 90')
  expect(text).not.toContain('PLANTED')
})

it('names a photo that cannot become a page, and keeps the others', async () => {
  await open([photo('one.jpg'), new File(['hello'], 'broken.jpg', { type: 'image/jpeg' })])
  expect(screen.getByText(/^broken.jpg: This photo cannot become a page\./)).toBeVisible()
  expect(pages()).toEqual(['one.jpg'])
})

it('gives the second PDF of a day a free name', async () => {
  const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date())
  const onJoined = await open([photo('one.jpg')], [`photos ${today}.pdf`])
  expect(screen.getByLabelText('Name of the PDF')).toHaveValue(`Photos ${today} (2)`)
  await userEvent.click(screen.getByRole('button', { name: 'Make PDF' }))
  expect(onJoined.mock.calls[0]![0].name).toBe(`Photos ${today} (2).pdf`)
})

it('moves the focus to the next page after Remove, and from the last one to Add photos', async () => {
  await open([photo('one.jpg'), photo('two.jpg'), photo('three.jpg')])
  const remove = (page: number) => screen.getByRole('button', { name: `Remove page ${page}` })
  await userEvent.click(remove(2))
  expect(pages()).toEqual(['one.jpg', 'three.jpg'])
  expect(remove(2)).toHaveFocus()
  await userEvent.click(remove(2))
  expect(remove(1)).toHaveFocus()
  await userEvent.click(remove(1))
  expect(screen.getByRole('button', { name: 'Add photos' })).toHaveFocus()
})
