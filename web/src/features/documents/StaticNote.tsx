import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

const Frame = styled('div')<{ tone: 'info' | 'warning' }>(({ tone, theme: { vars } }) => ({
  display: 'flex',
  gap: 14,
  padding: '14px 16px',
  fontSize: '0.95rem',
  lineHeight: 1.6,
  border: `1px solid ${vars.palette.tone[tone].edge}`,
  borderRadius: 12,
  backgroundColor: vars.palette.tone[tone].ground,
  '& svg': {
    flex: 'none',
    marginTop: 1,
    color: tone === 'info' ? vars.palette.primary.main : vars.palette.warning.main,
  },
  '& ul': { margin: 0, paddingLeft: '1.1em' },
}))

interface Props {
  tone: 'info' | 'warning'
  icon: ReactNode
  children: ReactNode
}

/** A permanent note; unlike a notice it is not announced. */
export function StaticNote({ tone, icon, children }: Props) {
  return (
    <Frame tone={tone}>
      {icon}
      <div>{children}</div>
    </Frame>
  )
}
