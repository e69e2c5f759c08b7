import { NOTE_MAX } from '@guidon/contract/documents'
import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { renderScreen } from '../../../../test/test-app.tsx'
import { fittingNote, NoteField } from './NoteField.tsx'

function Note({ initial = '' }: { initial?: string }) {
  const [note, setNote] = useState(initial)
  return <NoteField fileName="a.pdf" value={note} onChange={setNote} />
}

const field = () => screen.getByRole('textbox', { name: 'Note (optional) about a.pdf' })
const paste = (text: string) => fireEvent.change(field(), { target: { value: text } })

it('shows the field once it is wanted, with the focus in it', async () => {
  renderScreen('/dashboard/home', <Note />)
  expect(screen.queryByRole('textbox')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Add a note (optional) about a.pdf' }))
  expect(field()).toHaveFocus()
})

it('shows a note that was written before, without taking the focus', () => {
  renderScreen('/dashboard/home', <Note initial="Page 3" />)
  expect(field()).toHaveValue('Page 3')
  expect(field()).not.toHaveFocus()
})

it('says how many characters are left near the end', () => {
  renderScreen('/dashboard/home', <Note initial="Page 3" />)
  paste('x'.repeat(NOTE_MAX - 101))
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
  paste('x'.repeat(NOTE_MAX - 99))
  expect(screen.getByText('99 characters left')).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent('100 characters or fewer left')
  paste('x'.repeat(NOTE_MAX - 98))
  expect(screen.getByRole('status')).toHaveTextContent('100 characters or fewer left')
  paste('x'.repeat(NOTE_MAX - 1))
  expect(screen.getByText('1 character left')).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent('20 characters or fewer left')
  paste('x'.repeat(NOTE_MAX + 50))
  expect(field()).toHaveValue('x'.repeat(NOTE_MAX))
  expect(screen.getByRole('status')).toHaveTextContent('No characters left')
})

it('turns what the server would refuse into spaces, and cuts the text to the limit', () => {
  expect(fittingNote('Page 3\nof\u20284\0')).toBe('Page 3 of 4 ')
  const long = fittingNote(`${'x'.repeat(NOTE_MAX - 1)}\u{1F600}`)
  expect(long).toBe(`${'x'.repeat(NOTE_MAX - 1)} `)
  // Normalization makes two characters of this one.
  expect(fittingNote('\u0958'.repeat(NOTE_MAX))).toHaveLength(NOTE_MAX)
})
