import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

const Card = styled(Paper)(({ theme: { vars } }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 16,
  padding: '20px 24px',
  color: vars.palette.text.secondary,
  '& svg': { flex: 'none', fontSize: '1.6rem' },
}))

/** Shown in place of an empty list. */
export function EmptyCard({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <Card variant="outlined">
      {icon}
      <p>{children}</p>
    </Card>
  )
}
