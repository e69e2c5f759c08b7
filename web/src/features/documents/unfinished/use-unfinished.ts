import { getUnfinishedUploads, type UnfinishedUpload } from '@guidon/contract/resumable-uploads'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { CallFailure } from '../../../api/call-failure.ts'
import { call } from '../../../api/call.ts'
import { deleteUnfinished } from '../../../api/resumable/requests.ts'
import { documentsQuery, UNFINISHED_KEY } from '../documents-query.ts'
import { useUploads, useUploadsState } from '../upload/uploads.ts'

const unfinishedQuery = queryOptions({
  queryKey: UNFINISHED_KEY,
  queryFn: ({ signal }) => call(getUnfinishedUploads, { signal }),
})

/** The uploads of this account that were not finished, except those of this tab. */
export function useUnfinished() {
  const client = useQueryClient()
  const { store, openDialog, files, versions } = useUploads()
  const { data = [] } = useQuery(unfinishedQuery)
  const { data: documents = [] } = useQuery({ ...documentsQuery, refetchOnMount: false })
  const own = useUploadsState(({ ownUploads }) => ownUploads)

  const replacedBy = ({ replaces }: UnfinishedUpload) =>
    documents.find(({ id, boxFileId }) => replaces !== null && [id, boxFileId].includes(replaces))
  const requestOf = ({ documentId }: UnfinishedUpload) =>
    documents.find(({ id }) => id === documentId)

  return {
    unfinished: data.filter(({ id }) => !own.includes(id)),

    resume(upload: UnfinishedUpload, file: File): void {
      store.set({ ownUploads: [...store.get().ownUploads, upload.id] })
      const document = replacedBy(upload)
      if (document) void versions.replace(document, file, upload.note ?? '', upload.id)
      else files.resume(file, upload, requestOf(upload))
    },

    async uploadAnew(upload: UnfinishedUpload, file: File): Promise<void> {
      const document = replacedBy(upload)
      if (document) return versions.replace(document, file, upload.note ?? '')
      openDialog(requestOf(upload))
      await files.add([file])
    },

    async remove({ id }: UnfinishedUpload): Promise<void> {
      await deleteUnfinished(id).catch((error: unknown) => {
        // It has expired, or was removed on another device.
        if (!(error instanceof CallFailure && error.status === 404)) throw error
      })
      client.setQueryData(UNFINISHED_KEY, (list: UnfinishedUpload[] = []) =>
        list.filter((one) => one.id !== id),
      )
    },
  }
}
