import { getDocuments, OTHER_CATEGORY } from '@guidon/contract/documents'
import { call } from '../api/call.ts'
import type { PhonePanelProps } from '../features/documents/upload/phone-panel.ts'
import { useUploads, useUploadsState } from '../features/documents/upload/uploads.ts'
import { HandOffPanel } from '../features/hand-off/HandOffPanel.tsx'

/** In the dialog of uploads, for a document that a phone sends. */
export function PhonePanel({ categories, onBack }: PhonePanelProps) {
  const { addFromPhone } = useUploads()
  const request = useUploadsState((state) => state.request)

  async function arrived(documentId: string): Promise<void> {
    const listed = await call(getDocuments)
    const created = listed.find(({ id }) => id === documentId)
    if (created) await addFromPhone(created)
    onBack()
  }

  return (
    <HandOffPanel
      request={request && { id: request.id, type: request.type?.trim() || OTHER_CATEGORY }}
      categories={categories}
      onBack={onBack}
      onArrived={arrived}
    />
  )
}
