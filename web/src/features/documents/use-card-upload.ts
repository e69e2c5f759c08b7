import { WRONG_TYPE_TOAST_SECONDS, type Document } from '@guidon/contract/documents'
import { useEffect, useState } from 'react'
import { refusalMessage } from './file-check.ts'
import { uniquePhotoName } from './unique-photo-name.ts'
import { useUploads, useUploadsState } from './upload/uploads.ts'
import { withoutCameraData } from './without-camera-data.ts'

/** What a card of the list can do: open the dialog for a requested document, or send a new version. */
export function useCardUpload(document: Document) {
  const { id } = document
  const { openDialog, versions, show, setChoosing } = useUploads()
  const replacement = useUploadsState(({ replacements }) => replacements[id])
  const [chosen, setChosen] = useState<File>()
  const [refusal, setRefusal] = useState<string>()
  const [picking, setPicking] = useState(false)
  const choosing = picking || chosen !== undefined
  useEffect(() => {
    if (!choosing) return
    setChoosing(true)
    return () => setChoosing(false)
  }, [choosing, setChoosing])

  async function choose(given: File): Promise<void> {
    if (replacement?.sent !== undefined) return setPicking(false)
    const file = uniquePhotoName(await withoutCameraData(given))
    const text = await refusalMessage(file)
    setRefusal(text)
    setPicking(false)
    if (text === undefined) setChosen(file)
    else show({ kind: 'error', text, seconds: WRONG_TYPE_TOAST_SECONDS })
  }

  function confirm(note: string): void {
    if (chosen) versions.replace(document, chosen, note)
    setChosen(undefined)
  }

  return {
    openDialog: (onPhone = false) => openDialog(document, onPhone),
    /** Records whether the file chooser of the browser is open. */
    setPicking,
    choose,
    /** The file that replaces the current one after confirmation. */
    chosen,
    confirm,
    dismiss: () => setChosen(undefined),
    /** The progress of the upload; undefined if none is running. */
    sent: replacement?.sent,
    failure: refusal ?? replacement?.failure?.message,
    stop: () => versions.stop(id),
  }
}
