import { HARD_TO_GUESS } from '@guidon/contract/password-strength'
import { ThemeProvider } from '@mui/material/styles'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { NewPasswordField } from './NewPasswordField.tsx'
import { theme } from './theme.ts'

const person = { firstName: 'James', lastName: 'Whitfield', email: 'jw@example.com' }

function Form() {
  const [text, setText] = useState('')
  return (
    <NewPasswordField
      label="Password"
      text={text}
      person={person}
      onChange={({ target }) => setText(target.value)}
    />
  )
}

const field = () => screen.getByLabelText('Password')
const met = () =>
  screen
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent ?? '')
    .filter((text) => text.endsWith(', met'))

beforeEach(() => {
  render(
    <ThemeProvider theme={theme}>
      <Form />
    </ThemeProvider>,
  )
})

it('lists every rule before anything is typed, as the description of the field', () => {
  const rules = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(rules).toEqual([
    'At least 8 characters',
    'At least one symbol',
    'At least one digit',
    'At least one uppercase letter',
    'At least one lowercase letter',
    'No spaces',
    HARD_TO_GUESS,
  ])
  expect(field()).toHaveAccessibleDescription(expect.stringContaining('At least one digit'))
  expect(field()).toHaveAttribute('autocomplete', 'new-password')
})

it('ticks off each rule as it is met', async () => {
  await userEvent.type(field(), 'copper')
  await waitFor(() =>
    expect(met()).toEqual(['At least one lowercase letter, met', 'No spaces, met']),
  )
  await userEvent.type(field(), '7!Lantern')
  await waitFor(() => expect(met()).toHaveLength(7))
  await userEvent.type(field(), ' ')
  await waitFor(() => expect(met()).not.toContain('No spaces, met'))
})

it('does not accept a password with the name in it as hard to guess', async () => {
  await userEvent.type(field(), 'Whitfield7!')
  await waitFor(() => expect(met()).toHaveLength(6))
  expect(met()).not.toContain(`${HARD_TO_GUESS}, met`)
})

it('announces after a pause what is still needed', async () => {
  await userEvent.type(field(), 'Copper7lantern')
  const status = screen.getByRole('status')
  expect(status).toBeEmptyDOMElement()
  await waitFor(() => expect(status).toHaveTextContent('Still needed: At least one symbol.'), {
    timeout: 3000,
  })
  await userEvent.type(field(), '!')
  await waitFor(() => expect(status).toHaveTextContent('The password meets every requirement.'), {
    timeout: 3000,
  })
})
