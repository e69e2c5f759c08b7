import { acceptConsents, type AskedConsent } from '@guidon/contract/consents'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { consentsQuery } from './consents-query.ts'

export function useAccept(onAccepted?: () => void) {
  const queryClient = useQueryClient()
  const { mutate, isPending, error } = useMutation<undefined, Error, readonly AskedConsent[]>({
    mutationFn: (consents) =>
      call(acceptConsents, {
        body: { accepted: consents.map(({ kind, hash }) => ({ kind, hash })) },
      }),
    onSuccess: () => {
      onAccepted?.()
      // Busy until the list is read again.
      return queryClient.invalidateQueries(consentsQuery)
    },
    // The text may have changed, or the acceptance was saved and only the response was lost.
    onError: () => queryClient.invalidateQueries(consentsQuery),
  })
  return { accept: mutate, busy: isPending, failure: error }
}
