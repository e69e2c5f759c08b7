import { styled } from '@mui/material/styles'
import { Float } from '../../ui/Float.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { ToastFacts } from './use-toast.ts'

const Name = styled('strong')({ overflowWrap: 'anywhere' })

export function Toast({ toast }: { toast: ToastFacts | undefined }) {
  return (
    <Float aboveMenu>
      <Notice kind="success">
        {toast?.kind === 'success' && (
          <>
            {toast.text} {toast.name && <Name>{toast.name}</Name>}
          </>
        )}
      </Notice>
      <Notice kind="error">{toast?.kind === 'error' && toast.text}</Notice>
    </Float>
  )
}
