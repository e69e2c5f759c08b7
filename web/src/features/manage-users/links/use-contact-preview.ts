import { previewContact } from '@guidon/contract/links'
import { SEARCH_DEBOUNCE_MS } from '@guidon/contract/manage-users'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { useDebounced } from '../../../ui/use-debounced.ts'

/** Salesforce shows its ids with 15 characters or with 18. */
const PLAUSIBLE = /^[A-Za-z0-9]{15}(?:[A-Za-z0-9]{3})?$/

/** Whose contact a changed id is. Undefined if the id is not changed, or not yet complete. */
export function useContactPreview(userId: string, changedId: string | undefined) {
  const settled = useDebounced(changedId, SEARCH_DEBOUNCE_MS)
  const salesforceId = settled === changedId && PLAUSIBLE.test(settled ?? '') ? settled : undefined
  const { data, error, isFetching } = useQuery({
    queryKey: ['contact-preview', userId, salesforceId] as const,
    queryFn: ({ signal }) =>
      call(previewContact, {
        params: { id: userId },
        query: { salesforceId: salesforceId! },
        signal,
      }),
    enabled: salesforceId !== undefined,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return salesforceId === undefined ? undefined : { data, error, isLoading: isFetching && !data }
}
