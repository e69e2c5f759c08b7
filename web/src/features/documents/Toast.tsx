import { Float } from '../../ui/Float.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { ToastFacts } from './use-toast.ts'

export function Toast({ toast }: { toast: ToastFacts | undefined }) {
  return (
    <Float aboveMenu>
      <Notice kind="success">{toast?.kind === 'success' && toast.text}</Notice>
      <Notice kind="error">{toast?.kind === 'error' && toast.text}</Notice>
    </Float>
  )
}
