import { SNACKBAR_SECONDS } from '@guidon/contract/manage-users'
import { styled } from '@mui/material/styles'
import { Notice } from '../../ui/Notice.tsx'
import { useAfter } from '../../ui/use-after.ts'

const Place = styled('div')({
  position: 'fixed',
  insetInline: 16,
  bottom: 24,
  zIndex: 1400,
  display: 'grid',
  justifyItems: 'center',
  pointerEvents: 'none',
})

/** What has just been done, for a moment. */
export function Snack({ text, onGone }: { text: string; onGone: () => void }) {
  useAfter(SNACKBAR_SECONDS, text !== '', onGone)
  return (
    <Place>
      <Notice kind="success">{text}</Notice>
    </Place>
  )
}
