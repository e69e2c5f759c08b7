import { useEffect, useRef, useState } from 'react'

export interface ToastMessage {
  kind: 'success' | 'error'
  text: string
  /** The document's current name: a photo in place of a PDF changes the extension. */
  name?: string
  seconds: number
}

export type ShowToast = (toast: ToastMessage) => void

/** A short message at the edge of the screen; the latest one replaces earlier ones, and disappears by itself. */
export function useToast(): { toast: ToastMessage | undefined; show: ShowToast } {
  const [toast, setToast] = useState<ToastMessage>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function show(next: ToastMessage): void {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setToast(undefined), next.seconds * 1000)
    setToast(next)
  }
  return { toast, show }
}
