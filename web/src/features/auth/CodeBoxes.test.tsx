import { ThemeProvider } from '@mui/material/styles'
import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { theme } from '../../ui/theme.ts'
import { NO_DIGITS } from './code-digits.ts'
import { CodeBoxes } from './CodeBoxes.tsx'

function Boxes() {
  const [digits, setDigits] = useState(NO_DIGITS)
  return <CodeBoxes digits={digits} onChange={setDigits} invalid={false} describedBy="" />
}

const box = (n: number) => screen.getByRole('textbox', { name: `Digit ${n} of 6` })
const shown = () =>
  screen
    .getAllByRole<HTMLInputElement>('textbox')
    .map(({ value }) => value || '_')
    .join('')

beforeEach(() => {
  render(
    <ThemeProvider theme={theme}>
      <Boxes />
    </ThemeProvider>,
  )
})

it('moves to the next box with each digit', async () => {
  await userEvent.click(box(1))
  await userEvent.keyboard('12')
  expect(shown()).toBe('12____')
  expect(box(3)).toHaveFocus()
})

it('moves the focus before the next digit of a fast typist', () => {
  box(1).focus()
  for (const digit of '314159')
    fireEvent.input(document.activeElement!, { target: { value: digit } })
  expect(shown()).toBe('314159')
})

it('accepts digits only', async () => {
  await userEvent.click(box(1))
  await userEvent.keyboard('a1-b')
  expect(shown()).toBe('1_____')
})

it.each([1, 4, 6])('fills all six boxes from a paste into box %i', async (n) => {
  await userEvent.click(box(n))
  await userEvent.paste('Your code: 123 456.')
  expect(shown()).toBe('123456')
  expect(box(6)).toHaveFocus()
})

it('fills the boxes with the first six digits of a longer paste', async () => {
  await userEvent.click(box(1))
  await userEvent.paste('123456789')
  expect(shown()).toBe('123456')
})

it('spreads a shorter paste over its box and the next ones, and stops at the last', async () => {
  await userEvent.click(box(5))
  await userEvent.paste('789')
  expect(shown()).toBe('____78')
})

it('spreads what autofill puts into one box', () => {
  fireEvent.input(box(1), { target: { value: '246810' } })
  expect(shown()).toBe('246810')
})

it('moves back with backspace, clearing the previous box', async () => {
  await userEvent.click(box(1))
  await userEvent.keyboard('123{Backspace}')
  expect(shown()).toBe('12____')
  expect(box(3)).toHaveFocus()
  await userEvent.keyboard('{Backspace}')
  expect(shown()).toBe('1_____')
  expect(box(2)).toHaveFocus()
})

it('moves with the arrows, Home and End', async () => {
  await userEvent.click(box(3))
  await userEvent.keyboard('{ArrowLeft}')
  expect(box(2)).toHaveFocus()
  await userEvent.keyboard('{End}')
  expect(box(6)).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}')
  expect(box(6)).toHaveFocus()
  await userEvent.keyboard('{Home}')
  expect(box(1)).toHaveFocus()
})

it('replaces the digit of a filled box', async () => {
  await userEvent.click(box(1))
  await userEvent.keyboard('12{Home}9')
  expect(shown()).toBe('92____')
})

it.each(['70', '07'])('replaces the digit of a filled box, wherever the caret was: %s', (value) => {
  fireEvent.input(box(2), { target: { value: '0' } })
  fireEvent.input(box(2), { target: { value } })
  expect(shown()).toBe('_7____')
})

it('replaces a whole wrong code that is typed over', async () => {
  fireEvent.input(box(1), { target: { value: '000000' } })
  await userEvent.click(box(1))
  await userEvent.click(box(1))
  await userEvent.keyboard('314159')
  expect(shown()).toBe('314159')
})

it('moves on when the typed digit equals the one in the box', async () => {
  fireEvent.input(box(1), { target: { value: '000000' } })
  await userEvent.click(box(1))
  await userEvent.keyboard('055599')
  expect(shown()).toBe('055599')
})
