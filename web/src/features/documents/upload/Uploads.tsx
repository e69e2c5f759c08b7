import { useState } from 'react'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Question } from '../Question.tsx'
import type { PhonePanel } from './phone-panel.ts'
import { UploadNotices } from './UploadNotices.tsx'
import { useUploads, useUploadsState } from './uploads.ts'

const UploadDialog = lazyPart(async () => (await import('./UploadDialog.tsx')).UploadDialog)

/** The dialog, the results and the questions of uploads, on every screen of a veteran. */
export function Uploads(props: { PhonePanel?: PhonePanel }) {
  const { stay, stopAndLeave } = useUploads()
  const open = useUploadsState(({ dialog }) => dialog !== 'closed')
  const leaving = useUploadsState((state) => state.leaving)
  const action = leaving?.action ?? 'leave'
  const [opened, setOpened] = useState(false)
  if (open && !opened) setOpened(true)
  return (
    <>
      {opened && <UploadDialog {...props} />}
      <UploadNotices />
      <Question
        open={leaving !== undefined}
        title="Your upload is not finished"
        yes={`Stop and ${action}`}
        no="Keep uploading"
        onYes={stopAndLeave}
        onNo={stay}
      >
        <p>If you {action} now, the upload stops. To send the file later, choose it again.</p>
      </Question>
    </>
  )
}
