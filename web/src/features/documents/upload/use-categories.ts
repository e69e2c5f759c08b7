import { getDocumentCategories } from '@guidon/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { useRequestedTypes } from '../documents-query.ts'
import { withOtherLast } from './picked-files.ts'

/** Undefined while loading; only Other if they cannot be fetched. */
export function useCategories(): string[] | undefined {
  const requested = useRequestedTypes()
  const { data, isPending } = useQuery({
    queryKey: ['document-categories'],
    queryFn: ({ signal }) => call(getDocumentCategories, { signal }),
  })
  return isPending ? undefined : withOtherLast(data && [...requested, ...data])
}
