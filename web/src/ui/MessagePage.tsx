import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { IconDisc } from './IconDisc.ts'
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

/** A screen with one message and a link or button. */
export function MessagePage({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <PageFrame>
      <Middle>
        <IconDisc>{icon}</IconDisc>
        {children}
      </Middle>
    </PageFrame>
  )
}
