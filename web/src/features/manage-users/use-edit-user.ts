import { updateUser, type ManagedUser } from '@guidon/contract/manage-users'
import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { failureText } from '../../ui/failure-text.ts'
import {
  changesOf,
  ID_FIELDS,
  isCleared,
  refusedIds,
  rulesFor,
  valuesOf,
  type Changes,
  type Values,
} from './edit-user-form.ts'
import { useUpdateCachedUser } from './user-queries.ts'

export function useEditUser(user: ManagedUser) {
  const updateCache = useUpdateCachedUser()
  const resolver = useMemo(() => rulesFor(user), [user])
  const form = useForm({ resolver, defaultValues: valuesOf(user) })
  const { register, handleSubmit, setError, control, formState } = form
  const values: Partial<Values> = useWatch({ control })

  const { mutate, isPending, isSuccess, error } = useMutation<ManagedUser, CallFailure, Changes>({
    mutationFn: (body) => call(updateUser, { params: { id: user.id }, body }),
    onSuccess: updateCache,
    onError: (failure) => {
      for (const [at, [id, message]] of refusedIds(failure).entries()) {
        setError(id, { message }, { shouldFocus: at === 0 })
      }
    },
  })
  return {
    register,
    submit: handleSubmit(() => mutate(changesOf(user, values))),
    errors: formState.errors,
    changed: Object.keys(changesOf(user, values)).length > 0,
    emptied: ID_FIELDS.some((id) => isCleared(user, values, id)),
    busy: isPending,
    saved: isSuccess,
    failure: error && refusedIds(error).length === 0 ? failureText(error) : undefined,
  }
}
