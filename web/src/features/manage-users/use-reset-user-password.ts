import type { BodyIn } from '@guidon/contract/endpoint'
import { resetUserPassword, type ManagedUser } from '@guidon/contract/manage-users'
import { PASSWORD_BREAKS_RULES } from '@guidon/contract/password'
import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { failureText } from '../../ui/failure-text.ts'
import { withNameRule } from '../../ui/name-rule.ts'
import { suggestPassword } from './suggest-password.ts'

type Values = BodyIn<typeof resetUserPassword>

const rulesFor = (user: ManagedUser) =>
  withNameRule<Values, Values>(zodResolver(resetUserPassword.body), {
    field: 'newPassword',
    message: PASSWORD_BREAKS_RULES,
    password: ({ newPassword }) => newPassword,
    person: () => user,
  })

export function useResetUserPassword(user: ManagedUser) {
  const resolver = useMemo(() => rulesFor(user), [user])
  const { register, handleSubmit, setError, setValue, control, formState } = useForm<
    Values,
    unknown,
    Values
  >({ resolver, defaultValues: { newPassword: '', confirmPassword: '' } })
  const [suggestion, setSuggestion] = useState('')
  const newPassword = useWatch({ control, name: 'newPassword' })
  const { mutate, isPending, isSuccess, error } = useMutation<undefined, CallFailure, Values>({
    mutationFn: (body) => call(resetUserPassword, { params: { id: user.id }, body }),
    onError: ({ code, fields: { newPassword: message } }) => {
      if (message) setError('newPassword', { type: code, message }, { shouldFocus: true })
    },
  })

  function suggest(): void {
    const password = suggestPassword(user)
    setSuggestion(password)
    for (const field of ['newPassword', 'confirmPassword'] as const) {
      setValue(field, password, { shouldDirty: true, shouldValidate: formState.isSubmitted })
    }
  }

  return {
    register,
    suggest,
    /** Empty once the field has another password. */
    suggested: suggestion === newPassword ? suggestion : '',
    submit: handleSubmit((body) => mutate(body)),
    errors: formState.errors,
    newPassword,
    busy: isPending || formState.isSubmitting,
    done: isSuccess,
    failure: error?.fields['newPassword'] ? undefined : failureText(error),
  }
}
