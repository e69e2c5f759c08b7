import type { BodyIn } from '@guidon/contract/endpoint'
import {
  FIX_PASSWORD_BELOW,
  changePasswordForm,
  wrongCurrentPassword,
  type changePassword,
} from '@guidon/contract/password'
import type { PersonalInfo } from '@guidon/contract/password-strength'
import { zodResolver } from '@hookform/resolvers/zod'
import type { Resolver } from 'react-hook-form'
import type { CallFailure } from '../../api/call-failure.ts'
import { withNameRule } from '../../ui/name-rule.ts'

export type Values = BodyIn<typeof changePassword>

export const EMPTY_FORM: Values = { currentPassword: '', newPassword: '', confirmPassword: '' }

const contractRules = zodResolver(changePasswordForm)

/** The screen has one field for the new password; the call sends it twice. */
const rules: Resolver<Values, unknown, Values> = (values, ...rest) =>
  contractRules({ ...values, confirmPassword: values.newPassword }, ...rest)

export function rulesFor(person: PersonalInfo): Resolver<Values, unknown, Values> {
  return withNameRule(rules, {
    field: 'newPassword',
    message: FIX_PASSWORD_BELOW,
    password: ({ newPassword }) => newPassword,
    person: () => person,
  })
}

/** The fields that the server refused, each with its message. */
export function refusedFields({ code, message, fields }: CallFailure): Partial<Values> {
  if (code === wrongCurrentPassword.code) return { currentPassword: message }
  const { currentPassword, newPassword } = fields
  return { ...(currentPassword && { currentPassword }), ...(newPassword && { newPassword }) }
}
