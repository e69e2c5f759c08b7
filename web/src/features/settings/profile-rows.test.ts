import { expect, it } from 'vitest'
import { profileRows } from './profile-rows.ts'

it('lists first name, last name, phone, email, street, city, state and zip', () => {
  const rows = profileRows({
    firstName: 'James',
    lastName: 'Whitfield',
    phone: '6195550134',
    email: 'james@example.com',
    street: '12 Harbor Drive',
    city: 'San Diego',
    state: 'California',
    zip: '92101',
  })
  expect(rows.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'First name: James',
    'Last name: Whitfield',
    'Phone: (619) 555-0134',
    'Email: james@example.com',
    'Street: 12 Harbor Drive',
    'City: San Diego',
    'State: California',
    'Zip: 92101',
  ])
})

it('shows N/A for each field without a value', () => {
  const rows = profileRows({
    firstName: null,
    lastName: '',
    phone: null,
    email: null,
    street: ' ',
    city: null,
    state: null,
    zip: null,
  })
  expect(rows.map(({ value }) => value)).toEqual(Array(8).fill('N/A'))
})
