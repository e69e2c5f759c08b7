import type { PersonalInfo } from '@guidon/contract/password-strength'
import type { FieldErrors, FieldValues, Path, Resolver } from 'react-hook-form'
import { mayBeHardToGuess } from './strength.ts'

interface Rule<Values extends FieldValues> {
  field: Path<Values>
  message: string
  password: (values: Values) => string
  person: (values: Values) => PersonalInfo
}

/** Adds a rule to a form: the new password must be hard to guess. */
export function withStrength<Values extends FieldValues, Parsed>(
  rules: Resolver<Values, unknown, Parsed>,
  { field, message, password, person }: Rule<Values>,
): Resolver<Values, unknown, Parsed> {
  return async (values, context, options) => {
    const result = await rules(values, context, options)
    if (field in result.errors) return result
    if (await mayBeHardToGuess(password(values), person(values))) return result
    const errors = { ...result.errors, [field]: { type: 'strength', message } }
    return { values: {}, errors: errors as FieldErrors<Values> }
  }
}
