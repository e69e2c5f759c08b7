import { SNACKBAR_SECONDS } from '@guidon/contract/manage-users'
import { Float } from '../../ui/Float.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useAfter } from '../../ui/use-after.ts'

/** A short confirmation that disappears by itself. */
export function Snack({ text, onGone }: { text: string; onGone: () => void }) {
  useAfter(SNACKBAR_SECONDS, text !== '', onGone)
  return (
    <Float>
      <Notice kind="success">{text}</Notice>
    </Float>
  )
}
