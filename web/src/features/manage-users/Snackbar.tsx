import { SNACKBAR_SECONDS } from '@guidon/contract/manage-users'
import { Float } from '../../ui/Float.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useTimeout } from '../../ui/use-timeout.ts'

/** A short confirmation that disappears by itself. */
export function Snackbar({ text, onGone }: { text: string; onGone: () => void }) {
  useTimeout(SNACKBAR_SECONDS, text !== '', onGone)
  return (
    <Float>
      <Notice kind="success">{text}</Notice>
    </Float>
  )
}
