import { SEARCH_DEBOUNCE_MS } from '@guidon/contract/manage-users'
import { useQuery } from '@tanstack/react-query'
import { useDebounced } from '../../ui/use-debounced.ts'

interface Options<Found> {
  kind: 'contact' | 'folder'
  userId: string
  /** Undefined as long as the id is not changed. */
  changedId: string | undefined
  /** Matches a complete id. */
  complete: RegExp
  load: (id: string, signal: AbortSignal) => Promise<Found>
}

/** What a changed id in Edit User stands for. Undefined if it is not changed, or not yet complete. */
export function useIdPreview<Found>({ kind, userId, changedId, complete, load }: Options<Found>) {
  const settled = useDebounced(changedId, SEARCH_DEBOUNCE_MS)
  const id = settled === changedId && complete.test(settled ?? '') ? settled : undefined
  const { data, error, isFetching } = useQuery({
    queryKey: ['id-preview', kind, userId, id] as const,
    queryFn: ({ signal }) => load(id!, signal),
    enabled: id !== undefined,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return id === undefined ? undefined : { id, data, error, isLoading: isFetching && !data }
}
