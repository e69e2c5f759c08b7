import { UPLOADED } from '@guidon/contract/documents'
import { getUnfinishedUploads, type UnfinishedUpload } from '@guidon/contract/resumable-uploads'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { isGone } from '../../../api/is-gone.ts'
import { finish } from '../../../api/resumable/requests.ts'
import { lockedUploads } from '../../../api/resumable/upload-lock.ts'
import { deleteUnfinished } from '../../../api/upload.ts'
import { useEarlyQuery } from '../../../api/use-early-query.ts'
import { documentsQuery, UNFINISHED_KEY } from '../documents-query.ts'
import { useUploads, useUploadsState } from '../upload/uploads.ts'

const RETRY_MS = 30_000

const unfinishedQuery = queryOptions({
  queryKey: UNFINISHED_KEY,
  queryFn: async ({ signal }) => {
    const unfinished = await call(getUnfinishedUploads, { signal })
    const locked = await lockedUploads()
    return unfinished.filter(({ id }) => !locked.has(id))
  },
  refetchInterval: ({ state: { error } }) => (error && !isGone(error) ? RETRY_MS : false),
})

/** The uploads of this account that were not finished, except those that a tab of this browser is sending. */
export function useUnfinished() {
  const client = useQueryClient()
  const { store, openDialog, files, versions, show } = useUploads()
  const { data = [] } = useEarlyQuery(unfinishedQuery)
  const { data: documents = [] } = useQuery({ ...documentsQuery, refetchOnMount: false })
  const own = useUploadsState(({ ownUploads }) => ownUploads)

  const replacedDocument = ({ replaces }: UnfinishedUpload) =>
    documents.find(({ id, boxFileId }) => replaces !== null && [id, boxFileId].includes(replaces))
  const requestOf = ({ documentId }: UnfinishedUpload) =>
    documents.find(({ id }) => id === documentId)
  const removeFromList = ({ id }: UnfinishedUpload) =>
    client.setQueryData(UNFINISHED_KEY, (list: UnfinishedUpload[] = []) =>
      list.filter((one) => one.id !== id),
    )

  return {
    unfinished: data.filter(({ id }) => !own.includes(id)),

    /** Returns false if the document is being replaced by another file. */
    resume(upload: UnfinishedUpload, file: File): boolean {
      const document = replacedDocument(upload)
      if (!document) files.resume(file, upload, requestOf(upload))
      else if (!versions.replace(document, file, upload.note ?? '', upload.id)) return false
      store.set({ ownUploads: [...store.get().ownUploads, upload.id] })
      return true
    },

    /** Without the file: the server has all of it. */
    async finish(upload: UnfinishedUpload, filename: string): Promise<void> {
      const { name } = await finish(upload.id, filename)
      removeFromList(upload)
      show({ kind: 'success', text: UPLOADED, name })
      await client.invalidateQueries(documentsQuery)
    },

    async uploadAnew(upload: UnfinishedUpload, file: File): Promise<void> {
      openDialog(requestOf(upload))
      await files.add([file])
    },

    async remove(upload: UnfinishedUpload): Promise<void> {
      await deleteUnfinished(upload.id).catch((error: unknown) => {
        // It has expired, or was removed on another device.
        if (!isGone(error)) throw error
      })
      removeFromList(upload)
    },
  }
}
