import { updateUser, type ManagedUser } from '@guidon/contract/manage-users'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { CallFailure } from '../../api/call-failure.ts'
import { call } from '../../api/call.ts'
import { failureText } from '../../ui/failure-text.ts'
import {
  changesOf,
  hasContact,
  ID_FIELDS,
  isCleared,
  refusedIds,
  rulesFor,
  valuesOf,
  type Changes,
  type Values,
} from './edit-user-form.ts'
import { linksQuery } from './links/links-queries.ts'
import { useUpdateCachedUser } from './user-queries.ts'

export function useEditUser(user: ManagedUser) {
  const client = useQueryClient()
  const updateCache = useUpdateCachedUser()
  const resolver = useMemo(() => rulesFor(user), [user])
  const form = useForm({ resolver, defaultValues: valuesOf(user) })
  const { register, handleSubmit, setError, control, formState } = form
  const values: Partial<Values> = useWatch({ control })

  const { mutate, variables, data, isPending, isSuccess, error } = useMutation<
    ManagedUser,
    CallFailure,
    Changes
  >({
    mutationFn: (body) => call(updateUser, { params: { id: user.id }, body }),
    onSuccess: (saved) => {
      updateCache(saved)
      // The count beside the heading of the page.
      void client.invalidateQueries({ queryKey: linksQuery.queryKey })
    },
    onError: (failure) => {
      for (const [at, [id, message]] of refusedIds(failure).entries()) {
        setError(id, { message }, { shouldFocus: at === 0 })
      }
    },
  })
  const changes = changesOf(user, values)
  return {
    register,
    submit: handleSubmit(() => mutate(changes)),
    errors: formState.errors,
    changed: Object.keys(changes).length > 0,
    changes,
    emptied: ID_FIELDS.some((id) => isCleared(user, values, id)),
    busy: isPending,
    saved: isSuccess,
    /** Whether staff must confirm the new contact first. */
    waits: isSuccess && !hasContact(data, variables.salesforceId),
    failure: error && refusedIds(error).length === 0 ? failureText(error) : undefined,
  }
}
