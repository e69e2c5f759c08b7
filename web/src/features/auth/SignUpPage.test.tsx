import { createHash } from 'node:crypto'
import { requiredConsents, shownText } from '@guidon/contract/legal'
import { HARD_TO_GUESS, passwordGuessable } from '@guidon/contract/password-strength'
import { screens } from '@guidon/contract/screens'
import { register } from '@guidon/contract/sign-up'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { stubNetwork, renderScreen, reply } from '../../../test/test-app.tsx'
import { brand } from '../../ui/brand.ts'
import { readPending } from './pending-verification.ts'
import { SignUpPage } from './SignUpPage.tsx'

const PATH = '/auth/register'
const person = {
  firstName: 'Maria',
  lastName: 'Delgado',
  state: 'California',
  phone: '6195550134',
  email: 'maria.d@example.com',
  password: 'Anchor5!meadow-river',
}

const field = (label: string) => screen.getByLabelText(label)
const box = () => screen.getByRole('checkbox', { name: /I accept the Terms of Service/ })
const button = () => screen.getByRole('button', { name: 'Sign Up' })

const labels = {
  firstName: 'First name',
  lastName: 'Last name',
  phone: 'Phone',
  email: 'Email',
  password: 'Password',
} as const

function open(): void {
  renderScreen(screens.signUp, <SignUpPage />)
}

async function fill(given: Partial<typeof person> = {}): Promise<void> {
  const values = { ...person, ...given }
  for (const name of Object.keys(labels) as (keyof typeof labels)[]) {
    await userEvent.click(field(labels[name]))
    await userEvent.paste(values[name])
  }
  await userEvent.selectOptions(field('State'), values.state)
  await userEvent.click(box())
}

it('has a heading, a title, a link back and autocomplete', () => {
  open()
  expect(screen.getByRole('heading', { level: 1, name: 'Create Account' })).toBeVisible()
  expect(document.title).toBe('Create Account – Guidon')
  expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', screens.signIn)
  for (const [label, value] of [
    ['First name', 'given-name'],
    ['Last name', 'family-name'],
    ['State', 'address-level1'],
    ['Phone', 'tel-national'],
    ['Email', 'email'],
    ['Password', 'new-password'],
  ] as const) {
    expect(field(label)).toHaveAttribute('autocomplete', value)
  }
})

it('offers the 50 states, Alabama through Wyoming', () => {
  open()
  const options = within(field('State')).getAllByRole('option')
  const [hint, ...states] = options.map(({ textContent }) => textContent)
  expect(hint).toBe('Select a state')
  expect(states).toHaveLength(50)
  expect([states[0], states.at(-1)]).toEqual(['Alabama', 'Wyoming'])
})

it("links to the brand's terms and privacy policy, and says that they open in a new tab", () => {
  open()
  for (const [name, address] of [
    ['Terms of Service (opens in a new tab)', 'https://www.guidon.example/terms'],
    ['Privacy Policy (opens in a new tab)', 'https://www.guidon.example/privacy'],
  ] as const) {
    const link = screen.getByRole('link', { name })
    expect(link).toHaveAttribute('href', address)
    expect(link).toHaveAttribute('target', '_blank')
    expect(link).toHaveAttribute('rel', expect.stringContaining('noopener'))
  }
})

it('shows the notice of the chosen state, or that sign-up is not offered there', async () => {
  open()
  await userEvent.selectOptions(field('State'), 'Utah')
  expect(screen.getByText('In Utah, the state helps, too.')).toBeVisible()
  const help = screen.getByRole('link', { name: 'Help in Utah (opens in a new tab)' })
  expect(help).toHaveAttribute('href', 'https://veterans.utah.example')
  await userEvent.selectOptions(field('State'), 'Maine')
  expect(screen.getByText('We do not offer this in Maine.')).toBeVisible()
  expect(screen.queryByText(/Utah, the state/)).toBeNull()
})

it('asks to accept the notice of a state that requires it, and clears the tick from before', async () => {
  open()
  await userEvent.click(box())
  await userEvent.selectOptions(field('State'), 'Utah')
  expect(box()).toBeChecked()
  await userEvent.selectOptions(field('State'), 'Ohio')
  expect(box()).toHaveAccessibleName(/In Ohio, this must be accepted/)
  expect(box()).not.toBeChecked()
})

it('shows what is missing on submit, focuses the first field, then validates while typing', async () => {
  const requests = stubNetwork({})
  open()
  await userEvent.click(button())
  await waitFor(() => expect(field('First name')).toHaveFocus())
  for (const [input, sentence] of [
    [field('First name'), 'First name is required'],
    [field('Last name'), 'Last name is required'],
    [field('State'), 'Please select a state'],
    [field('Phone'), 'Enter a valid 10-digit phone number'],
    [field('Email'), 'Enter a valid email address'],
    [field('Password'), 'Password does not meet requirements'],
    [box(), 'You must accept the terms'],
  ] as const) {
    expect(input).toBeInvalid()
    expect(input).toHaveAccessibleDescription(expect.stringContaining(sentence))
  }
  expect(document.title).toBe('Error: Create Account – Guidon')
  await userEvent.type(field('First name'), 'M')
  await waitFor(() => expect(field('First name')).not.toBeInvalid())
  expect(field('Last name')).toBeInvalid()
  expect(requests).toEqual([])
})

it('strips everything but digits from the phone while typing', async () => {
  open()
  await userEvent.type(field('Phone'), '(619) 555-01a34')
  expect(field('Phone')).toHaveValue('6195550134')
})

it.each(['(619) 555-0134', '+1 619 555 0134'])('accepts a pasted phone: %s', async (text) => {
  open()
  await userEvent.click(field('Phone'))
  await userEvent.paste(text)
  expect(field('Phone')).toHaveValue('6195550134')
})

it('keeps the caret when a character other than a digit is typed', async () => {
  open()
  await userEvent.type(field('Phone'), '6195550134')
  await userEvent.type(field('Phone'), 'x', { initialSelectionStart: 3, initialSelectionEnd: 3 })
  expect(field('Phone')).toHaveValue('6195550134')
  expect((field('Phone') as HTMLInputElement).selectionStart).toBe(3)
})

it('refuses a password with the name in it that meets the other rules', async () => {
  const requests = stubNetwork({})
  open()
  await fill({ password: 'Delgado-anchor5!river' })
  await userEvent.click(button())
  await waitFor(() =>
    expect(field('Password')).toHaveAccessibleDescription(
      expect.stringContaining('Password does not meet requirements'),
    ),
  )
  expect(field('Password')).toHaveFocus()
  expect(requests).toEqual([])
})

it('registers with the texts that it shows, stores email and type, and goes to the code page', async () => {
  const requests = stubNetwork({ [PATH]: () => reply(202) })
  open()
  await fill({ email: ' Maria.D@Example.com' })
  await userEvent.click(button())
  expect(await screen.findByText(`At ${screens.verificationCode}`)).toBeVisible()
  const consents = requiredConsents(brand.legal, person.state).map((consent) => ({
    kind: consent.kind,
    hash: createHash('sha256').update(shownText(consent)).digest('hex'),
  }))
  expect(consents.map(({ kind }) => kind)).toEqual(['terms', 'privacy'])
  expect(requests).toEqual([{ path: PATH, body: { ...person, consents } }])
  expect(readPending()).toEqual({ email: person.email, type: 'signup' })
})

it('has all but the password and the accepted terms when the person comes back, with the email focused', async () => {
  stubNetwork({ [PATH]: () => reply(202) })
  open()
  await fill()
  await userEvent.click(button())
  await screen.findByText(`At ${screens.verificationCode}`)
  expect(Object.values(sessionStorage).join()).not.toContain(person.password)
  cleanup()
  open()
  await waitFor(() => expect(field('Email')).toHaveFocus())
  expect(field('Email')).toHaveValue(person.email)
  expect(field('First name')).toHaveValue('Maria')
  expect(field('Last name')).toHaveValue('Delgado')
  expect(field('State')).toHaveValue('California')
  expect(field('Phone')).toHaveValue('6195550134')
  expect(box()).not.toBeChecked()
  expect(field('Password')).toHaveValue('')
  await userEvent.type(field('Phone'), '{Backspace}9')
  expect(field('Phone')).toHaveValue('6195550139')
})

it('has an empty form when what is stored is damaged', () => {
  sessionStorage.setItem('guidon.sign-up', '{"firstName":')
  open()
  expect(field('First name')).toHaveValue('')
  expect(box()).not.toBeChecked()
})

it('marks the rule that the server found broken', async () => {
  const fields = { password: 'Password does not meet requirements' }
  stubNetwork({ [PATH]: () => reply(422, { ...passwordGuessable, fields }) })
  open()
  await fill()
  await userEvent.click(button())
  await waitFor(() =>
    expect(field('Password')).toHaveAccessibleDescription(
      expect.stringContaining(`${HARD_TO_GUESS}, not met. ${passwordGuessable.message}`),
    ),
  )
  expect(field('Password')).toHaveFocus()
})

it('says how long a name may be', async () => {
  open()
  await fill({ firstName: 'M'.repeat(81) })
  await userEvent.click(button())
  await waitFor(() =>
    expect(field('First name')).toHaveAccessibleDescription('Use at most 80 characters'),
  )
})

it('keeps what was typed when there is no connection, and says so', async () => {
  stubNetwork({ [PATH]: () => Promise.reject(new TypeError('Failed to fetch')) })
  open()
  await fill()
  await userEvent.click(button())
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(/internet connection/))
  expect(field('First name')).toHaveValue('Maria')
  expect(field('Password')).toHaveValue(person.password)
})

it("shows the server's message and keeps the input", async () => {
  const message = 'There were too many tries. Please wait a few minutes before you try again.'
  stubNetwork({ [PATH]: () => reply(429, { code: 'too_many_tries', message }) })
  open()
  await fill()
  await userEvent.click(button())
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(message))
  expect(field('Password')).toHaveValue(person.password)
  expect(document.title).toBe('Error: Create Account – Guidon')
})

it('shows the default message when the server sends none', async () => {
  stubNetwork({ [PATH]: () => reply(500) })
  open()
  await fill()
  await userEvent.click(button())
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(register.failure))
  expect(register.failure).toBe('Failed to sign up, please try again later.')
})

it('puts the messages of a 422 at their fields and focuses the first', async () => {
  const fields = {
    phone: 'Enter a valid 10-digit phone number',
    password: 'Password does not meet requirements',
  }
  stubNetwork({ [PATH]: () => reply(422, { code: 'invalid_input', fields }) })
  open()
  await fill()
  await userEvent.click(button())
  await waitFor(() => expect(field('Phone')).toHaveAccessibleDescription(fields.phone))
  expect(field('Password')).toBeInvalid()
  await waitFor(() => expect(field('Phone')).toHaveFocus())
})

it('ignores a second press while busy', async () => {
  const requests = stubNetwork({ [PATH]: () => new Promise<Response>(() => {}) })
  open()
  await fill()
  await userEvent.click(button())
  await waitFor(() => expect(requests).toHaveLength(1))
  await userEvent.click(button())
  expect(button()).toHaveAttribute('aria-busy', 'true')
  expect(requests).toHaveLength(1)
})
