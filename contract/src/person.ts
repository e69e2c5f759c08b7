import * as z from 'zod/mini'
import { NAME_MAX, PHONE_DIGITS } from './limits.ts'
import { STATE_NAMES } from './states.ts'
import { text } from './text.ts'

const WRONG_PHONE = `Enter a valid ${PHONE_DIGITS}-digit phone number`

export const phone = text({ max: PHONE_DIGITS, invalid: WRONG_PHONE }).check(
  z.regex(new RegExp(`^\\d{${PHONE_DIGITS}}$`), WRONG_PHONE),
)

export const state = z.enum(STATE_NAMES, 'Please select a state')

export const firstName = text({ max: NAME_MAX, required: 'First name is required' })
export const lastName = text({ max: NAME_MAX, required: 'Last name is required' })
