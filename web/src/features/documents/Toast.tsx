import { styled } from '@mui/material/styles'
import { Notice } from '../../ui/Notice.tsx'
import type { ToastFacts } from './use-toast.ts'

const Place = styled('div')(({ theme: { breakpoints } }) => ({
  position: 'fixed',
  insetInline: 16,
  bottom: 24,
  zIndex: 1400,
  display: 'grid',
  justifyItems: 'center',
  pointerEvents: 'none',
  '& > div > div': { boxShadow: '0 6px 24px rgb(11 34 57 / 25%)' },
  // Above the menu at the lower edge.
  [breakpoints.down('md')]: { bottom: 'calc(92px + env(safe-area-inset-bottom))' },
}))

export function Toast({ toast }: { toast: ToastFacts | undefined }) {
  return (
    <Place>
      <Notice kind="success">{toast?.kind === 'success' && toast.text}</Notice>
      <Notice kind="error">{toast?.kind === 'error' && toast.text}</Notice>
    </Place>
  )
}
