import { getDocuments, type Document } from '@guidon/contract/documents'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { inPlaceOf, requestedFirst, withNew } from './document-list.ts'

export const documentsQuery = queryOptions({
  queryKey: ['documents'],
  queryFn: async ({ signal }) => requestedFirst(await call(getDocuments, { signal })),
})

/** Puts what was uploaded into the list at once: the server has said what it is. */
export function useDocumentChanges() {
  const client = useQueryClient()
  const { queryKey } = documentsQuery

  async function change(next: (documents: Document[]) => Document[]): Promise<void> {
    // A list that is on its way was written before.
    await client.cancelQueries({ queryKey })
    const known = client.setQueryData(queryKey, (documents) => documents && next(documents))
    // It could not be had before; what was uploaded now is not all there is.
    if (known === undefined) await client.invalidateQueries({ queryKey })
  }

  return {
    add: (made: Document) => change((documents) => withNew(documents, made)),
    putInPlace: (oldId: string, made: Document) =>
      change((documents) => inPlaceOf(documents, oldId, made)),
  }
}
