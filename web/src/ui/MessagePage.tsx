import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Main } from './Main.tsx'
import { PageFrame } from './PageFrame.tsx'

const Middle = styled(Main)({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 16,
  width: 'min(36rem, 100%)',
  marginInline: 'auto',
  padding: '48px 20px',
  textAlign: 'center',
})

const Disc = styled('div')(({ theme: { vars } }) => ({
  display: 'grid',
  placeItems: 'center',
  width: 72,
  height: 72,
  borderRadius: '50%',
  color: vars.palette.primary.main,
  backgroundColor: vars.palette.tint.soft,
  '& svg': { fontSize: '2rem' },
}))

/** A screen that only says one thing and offers the way on. */
export function MessagePage({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <PageFrame>
      <Middle>
        <Disc>{icon}</Disc>
        {children}
      </Middle>
    </PageFrame>
  )
}
