import {
  HARD_TO_GUESS,
  NO_NAME,
  passwordGuessable,
  passwordHasName,
  type PersonalInfo,
} from '@guidon/contract/password-strength'
import { ThemeProvider } from '@mui/material/styles'
import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { NewPasswordField } from './NewPasswordField.tsx'
import { theme } from './theme.ts'

afterEach(() => vi.useRealTimers())

const james = { firstName: 'James', lastName: 'Whitfield', email: 'jw@example.com' }

interface Given {
  person?: PersonalInfo
  error?: { type: string; message: string }
}

function Form(given: Given) {
  const [text, setText] = useState('')
  return (
    <NewPasswordField
      {...given}
      label="Password"
      text={text}
      onChange={({ target }) => setText(target.value)}
    />
  )
}

const field = () => screen.getByLabelText('Password')
const rules = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '')
const met = () => rules().filter((text) => text.endsWith(', met'))
const notMet = () => rules().filter((text) => text.includes(', not met'))

function open(given: Given = { person: james }): void {
  render(
    <ThemeProvider theme={theme}>
      <Form {...given} />
    </ThemeProvider>,
  )
}

it('lists every rule before anything is typed, as the description of the field', () => {
  open()
  expect(rules()).toEqual([
    'At least 8 characters',
    'At least one symbol',
    'At least one digit',
    'At least one uppercase letter',
    'At least one lowercase letter',
    'No spaces',
    NO_NAME,
    HARD_TO_GUESS,
  ])
  expect(field()).toHaveAccessibleDescription(expect.stringContaining('At least one digit'))
  expect(field()).toHaveAttribute('autocomplete', 'new-password')
})

it('ticks off each rule as it is met, and leaves to the server whether it is hard to guess', async () => {
  open()
  await userEvent.type(field(), 'copper')
  expect(met()).toEqual(['At least one lowercase letter, met', 'No spaces, met', `${NO_NAME}, met`])
  await userEvent.type(field(), '7!Lantern')
  expect(met()).toHaveLength(7)
  expect(rules().at(-1)).toBe(HARD_TO_GUESS)
  await userEvent.type(field(), ' ')
  expect(met()).not.toContain('No spaces, met')
})

it('checks the name where it is known', async () => {
  open()
  await userEvent.type(field(), 'Whitfield7!')
  expect(met()).toHaveLength(6)
  expect(met()).not.toContain(`${NO_NAME}, met`)
})

it('does not claim to know the name where only the server does', async () => {
  open({})
  await userEvent.type(field(), 'Whitfield7!')
  expect(met()).toHaveLength(6)
  expect(rules()).toContain(NO_NAME)
})

it.each([
  [passwordHasName, NO_NAME],
  [passwordGuessable, HARD_TO_GUESS],
])('marks only the rule that the server found broken, and says why: %o', async (refusal, rule) => {
  open({ error: { type: refusal.code, message: 'Please fix the password requirements below.' } })
  await userEvent.type(field(), 'Copper7!lantern')
  expect(notMet()).toEqual([`${rule}, not met. ${refusal.message}`])
  expect(field()).toHaveAccessibleDescription(expect.stringContaining(refusal.message))
  expect(field()).toBeInvalid()
})

it('marks each unmet rule of a form that was refused', async () => {
  open({ person: james, error: { type: 'custom', message: 'Password does not meet requirements' } })
  await userEvent.type(field(), 'Copper7lantern')
  expect(notMet()).toEqual(['At least one symbol, not met'])
})

it('announces after a pause what is still needed', async () => {
  vi.useFakeTimers()
  const pass = (ms: number) =>
    act(() => {
      vi.advanceTimersByTime(ms)
    })
  const enter = (value: string) => fireEvent.change(field(), { target: { value } })
  open()
  const status = screen.getByRole('status')
  enter('Copper7lantern')
  pass(899)
  expect(status).toBeEmptyDOMElement()
  pass(1)
  expect(status).toHaveTextContent('Still needed: At least one symbol.')
  enter('Copper7lantern!')
  pass(900)
  expect(status).toHaveTextContent('The password meets every requirement so far.')
})
