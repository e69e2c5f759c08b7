import type { BodyIn } from '@guidon/contract/endpoint'
import { decideLink } from '@guidon/contract/links'
import { screens } from '@guidon/contract/screens'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { CallFailure } from '../../../api/call-failure.ts'
import { call } from '../../../api/call.ts'
import { decidedState } from './decided.ts'
import { linksQuery } from './links-queries.ts'

export function useDecide(id: string) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { mutate, reset, variables, isPending, isSuccess, error } = useMutation<
    undefined,
    CallFailure,
    BodyIn<typeof decideLink>
  >({
    mutationFn: (body) => call(decideLink, { params: { id }, body }),
    onSuccess: (_, { decision }) => {
      // The list must not show for a moment what was just decided.
      client.removeQueries({ queryKey: linksQuery.queryKey })
      return navigate(screens.linksToConfirm, { state: decidedState(decision) })
    },
  })
  return {
    decide: mutate,
    /** Sends the same decision again. */
    again: () => variables && mutate(variables),
    /** Forgets a decision that was not saved. */
    cancel: reset,
    // Still busy after success, while the list loads.
    busy: isPending || isSuccess,
    failure: error,
  }
}
