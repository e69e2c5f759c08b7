import { getDocuments, type Document } from '@guidon/contract/documents'
import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { addDocument, replaceDocument, requestedFirst, requestedTypes } from './document-list.ts'

export const documentsQuery = queryOptions({
  queryKey: ['documents'],
  queryFn: async ({ signal }) => requestedFirst(await call(getDocuments, { signal })),
})

/** The list of uploads that are not finished. */
export const UNFINISHED_KEY = ['unfinished-uploads']

/** The types of open requests, as far as the list is loaded. */
export function useRequestedTypes(): string[] {
  const { data } = useQuery({ ...documentsQuery, enabled: false })
  return requestedTypes(data ?? [])
}

export type DocumentChanges = ReturnType<typeof documentChanges>

/** Updates the cached list with the document that the server returned. */
export function documentChanges(client: QueryClient) {
  const { queryKey } = documentsQuery

  async function change(next: (documents: Document[]) => Document[]): Promise<void> {
    // A list that is still loading would not contain the upload.
    await client.cancelQueries({ queryKey })
    const updated = client.setQueryData(queryKey, (documents) => documents && next(documents))
    // There was no list to update, so fetch it.
    if (updated === undefined) await client.invalidateQueries({ queryKey })
  }

  return {
    add: (created: Document) => change((documents) => addDocument(documents, created)),
    putInPlace: (oldId: string, created: Document) =>
      change((documents) => replaceDocument(documents, oldId, created)),
    /** The list from the server, or the cached one if that fails. */
    latest: (): Promise<Document[] | undefined> =>
      client.fetchQuery(documentsQuery).catch(() => client.getQueryData(queryKey)),
  }
}
