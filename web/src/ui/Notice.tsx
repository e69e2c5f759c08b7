import CheckCircle from '@mui/icons-material/CheckCircleOutlined'
import ErrorIcon from '@mui/icons-material/ErrorOutlineOutlined'
import InfoIcon from '@mui/icons-material/InfoOutlined'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

const kinds = {
  success: { role: 'status', Icon: CheckCircle, color: 'success' },
  info: { role: 'status', Icon: InfoIcon, color: 'primary' },
  error: { role: 'alert', Icon: ErrorIcon, color: 'error' },
} as const

const Frame = styled('div')<{ kind: keyof typeof kinds }>(({ kind, theme: { vars } }) => ({
  display: 'flex',
  gap: 14,
  padding: '14px 16px',
  fontSize: '0.95rem',
  lineHeight: 1.55,
  border: `1px solid ${vars.palette.tone[kind].edge}`,
  borderRadius: 12,
  backgroundColor: vars.palette.tone[kind].ground,
  '& svg': { flex: 'none', marginTop: 1, color: vars.palette[kinds[kind].color].main },
}))

interface Props {
  kind: keyof typeof kinds
  children?: ReactNode
}

/** The live region stays when empty: screen readers announce changes inside one, not a new one. */
export function Notice({ kind, children }: Props) {
  const { role, Icon } = kinds[kind]
  return (
    <div role={role}>
      {children && (
        <Frame kind={kind}>
          <Icon aria-hidden />
          <div>{children}</div>
        </Frame>
      )}
    </div>
  )
}
