import {
  containsName,
  passwordHasName,
  type PersonalInfo,
} from '@guidon/contract/password-strength'
import type { FieldErrors, FieldValues, Path, Resolver } from 'react-hook-form'

interface Rule<Values extends FieldValues> {
  field: Path<Values>
  message: string
  password: (values: Values) => string
  person: (values: Values) => PersonalInfo
}

/** Adds a rule to a form: the new password must not contain the name or the email. */
export function withNameRule<Values extends FieldValues, Parsed>(
  rules: Resolver<Values, unknown, Parsed>,
  { field, message, password, person }: Rule<Values>,
): Resolver<Values, unknown, Parsed> {
  return async (values, context, options) => {
    const result = await rules(values, context, options)
    if (field in result.errors || !containsName(password(values), person(values))) return result
    const errors = { ...result.errors, [field]: { type: passwordHasName.code, message } }
    return { values: {}, errors: errors as FieldErrors<Values> }
  }
}
