import { SNACKBAR_SECONDS } from '@guidon/contract/manage-users'
import { FloatingNotices } from '../../ui/FloatingNotices.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useTimeout } from '../../ui/use-timeout.ts'

/** A short confirmation that disappears by itself. */
export function Snackbar({ text, onGone }: { text: string; onGone: () => void }) {
  useTimeout(SNACKBAR_SECONDS, text !== '', onGone)
  return (
    <FloatingNotices>
      <Notice kind="success">{text}</Notice>
    </FloatingNotices>
  )
}
