import { expect, it } from 'vitest'
import { phone } from './person.ts'

it.each(['619555013', '61955501345', '619-555-0134', ''])(
  '%j is refused as a phone, which must have exactly 10 digits',
  (text) => {
    expect(phone.safeParse(text).error?.issues[0]?.message).toBe(
      'Enter a valid 10-digit phone number',
    )
  },
)
