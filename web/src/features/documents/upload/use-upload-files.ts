import { TOO_MANY_FILES, uploadDocument, type Document } from '@guidon/contract/documents'
import { useRef, useState } from 'react'
import { upload } from '../../../api/upload.ts'
import { uploadFailure } from '../document-texts.ts'
import { refusalMessage } from '../file-check.ts'
import { askBeforeLeaving } from '../leave-guard.ts'
import { updateFile, isUploading, removeFile, addFiles, type PickedFile } from './picked-files.ts'

/** A message, and the files it concerns. */
export interface RefusedFiles {
  message: string
  names: string[]
}

const READY = { kind: 'ready' } as const

/** The files of the dialog: chosen, given a category, and sent one after the other. */
export function useUploadFiles(onUploaded: (created: Document) => unknown) {
  const [picked, setPicked] = useState<PickedFile[]>([])
  const [refused, setRefused] = useState<RefusedFiles[]>([])
  const [uploaded, setUploaded] = useState<string[]>([])
  const [busy, setBusy] = useState(false)
  // The current list, for uploads that end many renders after they started.
  const latest = useRef(picked)
  const running = useRef(false)
  const stopping = useRef(new Map<string, AbortController>())

  function update(next: PickedFile[]): void {
    latest.current = next
    setPicked(next)
  }
  const patch = (key: string, change: Partial<PickedFile>) =>
    update(updateFile(latest.current, key, change))

  async function add(files: readonly File[]): Promise<void> {
    const checked = await Promise.all(
      files.map(async (file) => ({ file, refusal: await refusalMessage(file) })),
    )
    const accepted = checked.filter(({ refusal }) => refusal === undefined).map(({ file }) => file)
    const next = addFiles(latest.current, accepted, () => crypto.randomUUID())
    update(next.picked)
    setRefused([
      ...groupByMessage(checked),
      ...(next.tooMany ? [{ message: TOO_MANY_FILES, names: [] }] : []),
    ])
  }

  async function send(): Promise<void> {
    if (running.current) return
    running.current = true
    setBusy(true)
    setRefused([])
    const queue = latest.current.map(({ key }) => key)
    update(latest.current.map((pickedFile) => ({ ...pickedFile, progress: { kind: 'waiting' } })))
    try {
      for (const key of queue) {
        const next = latest.current.find((other) => other.key === key)
        if (next?.progress.kind === 'waiting') await sendOne(next)
      }
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  async function sendOne({ key, file, category }: PickedFile): Promise<void> {
    const controller = new AbortController()
    stopping.current.set(key, controller)
    const onProgress = (share: number) => patch(key, { progress: { kind: 'sending', share } })
    onProgress(0)
    try {
      const form = { documentType: category }
      const { signal } = controller
      const sending = upload(uploadDocument, { file, form, onProgress, signal })
      const created = await askBeforeLeaving(sending)
      await onUploaded(created)
      setUploaded((names) => [...names, created.name])
      update(removeFile(latest.current, key))
    } catch (error) {
      if (controller.signal.aborted) patch(key, { progress: READY })
      else patch(key, { progress: { kind: 'failed', message: uploadFailure(error) } })
    } finally {
      stopping.current.delete(key)
    }
  }

  function stop(key: string): void {
    stopping.current.get(key)?.abort()
    patch(key, { progress: READY })
  }

  return {
    picked,
    refused,
    /** Names of the accepted files. */
    uploaded,
    busy,
    finished: !busy && uploaded.length > 0 && picked.length === 0,
    add,
    choose: (key: string, category: string) => patch(key, { category }),
    remove: (key: string) => update(removeFile(latest.current, key)),
    send,
    stop,
    stopAll: () => latest.current.filter(isUploading).forEach(({ key }) => stop(key)),
  }
}

function groupByMessage(
  checked: readonly { file: File; refusal: string | undefined }[],
): RefusedFiles[] {
  const messages = new Set(checked.flatMap(({ refusal }) => refusal ?? []))
  return [...messages].map((message) => ({
    message,
    names: checked.filter(({ refusal }) => refusal === message).map(({ file }) => file.name),
  }))
}
