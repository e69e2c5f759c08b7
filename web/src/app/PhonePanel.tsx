import { getDocuments } from '@guidon/contract/documents'
import { call } from '../api/call.ts'
import { categoryOf } from '../features/documents/document-list.ts'
import type { PhonePanelProps } from '../features/documents/upload/phone-panel.ts'
import { useUploads, useUploadsState } from '../features/documents/upload/uploads.ts'
import { HandOffPanel } from '../features/hand-off/HandOffPanel.tsx'

/** In the dialog of uploads, for a document that a phone sends. */
export function PhonePanel({ categories, onBack }: PhonePanelProps) {
  const { addFromPhone, setHasPhotos } = useUploads()
  const request = useUploadsState((state) => state.request)

  async function arrived(documentId: string): Promise<void> {
    const listed = await call(getDocuments).catch(() => [])
    await addFromPhone(listed.find(({ id }) => id === documentId))
    onBack()
  }

  return (
    <HandOffPanel
      request={request && { id: request.id, type: categoryOf(request) }}
      categories={categories}
      onBack={onBack}
      onArrived={arrived}
      onPhotosChange={setHasPhotos}
    />
  )
}
