import { styled } from '@mui/material/styles'
import { FloatingNotices } from '../../ui/FloatingNotices.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { ToastMessage } from './use-toast.ts'

const Name = styled('strong')({ overflowWrap: 'anywhere' })

export function Toast({ toast }: { toast: ToastMessage | undefined }) {
  return (
    <FloatingNotices aboveMenu>
      <Notice kind="success">
        {toast?.kind === 'success' && (
          <>
            {toast.text} {toast.name && <Name>{toast.name}</Name>}
          </>
        )}
      </Notice>
      <Notice kind="error">{toast?.kind === 'error' && toast.text}</Notice>
    </FloatingNotices>
  )
}
