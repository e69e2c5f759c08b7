import * as z from 'zod/mini'
import { NAME_MAX, PHONE_DIGITS } from './limits.ts'
import { STATE_NAMES } from './states.ts'

export const phone = z
  .string()
  .check(
    z.regex(
      new RegExp(`^\\d{${PHONE_DIGITS}}$`),
      `Enter a valid ${PHONE_DIGITS}-digit phone number`,
    ),
  )

export const state = z.enum(STATE_NAMES, 'Please select a state')

export const firstName = z
  .string()
  .check(z.trim(), z.minLength(1, 'First name is required'), z.maxLength(NAME_MAX))
export const lastName = z
  .string()
  .check(z.trim(), z.minLength(1, 'Last name is required'), z.maxLength(NAME_MAX))
