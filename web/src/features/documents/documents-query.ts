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
    client.setQueryData(queryKey, (documents = []) => next(documents))
  }

  return {
    add: (made: Document) => change((documents) => withNew(documents, made)),
    putInPlace: (oldId: string, made: Document) =>
      change((documents) => inPlaceOf(documents, oldId, made)),
  }
}
