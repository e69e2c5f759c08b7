import { changePassword } from '@guidon/contract/password'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { useSignedInUser } from '../../api/current-user.ts'
import { useTimeout } from '../../ui/use-timeout.ts'
import { EMPTY_FORM, refusedFields, rulesFor, type Values } from './change-password-form.ts'

/** How long the success message is shown. */
const SHOWN_SECONDS = 5

export function useChangePassword() {
  const user = useSignedInUser()
  const resolver = useMemo(() => rulesFor(user), [user])
  const form = useForm<Values, unknown, Values>({ resolver, defaultValues: EMPTY_FORM })
  const { errors, isSubmitting } = form.formState
  const { currentPassword, newPassword } = useWatch({ control: form.control })
  const heading = useRef<HTMLHeadingElement>(null)

  const { mutate, isPending, isSuccess, error, reset } = useMutation<
    undefined,
    CallFailure,
    Values
  >({
    mutationFn: (body) => call(changePassword, { body }),
    onSuccess: () => {
      // Cleared fields disable the focused button, which would lose the focus.
      heading.current?.focus()
      form.reset(EMPTY_FORM)
    },
    onError: (failure) => {
      const refused = Object.entries(refusedFields(failure)) as [keyof Values, string][]
      for (const [at, [name, message]] of refused.entries()) {
        form.setError(name, { type: failure.code, message }, { shouldFocus: at === 0 })
      }
    },
  })
  useTimeout(SHOWN_SECONDS, isSuccess, reset)

  const shownAtFields = error !== null && Object.keys(refusedFields(error)).length > 0
  return {
    email: user.email,
    person: user,
    register: form.register,
    submit: form.handleSubmit((body) => mutate(body)),
    errors,
    newPassword: newPassword ?? '',
    filled: Boolean(currentPassword && newPassword),
    busy: isPending || isSubmitting,
    changed: isSuccess,
    failure: shownAtFields ? undefined : error?.message,
    failed: error !== null || Object.keys(errors).length > 0,
    heading,
  }
}
