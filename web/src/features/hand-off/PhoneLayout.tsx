import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Main } from '../../ui/Main.tsx'
import { PageFrame } from '../../ui/PageFrame.tsx'

const Page = styled(Main)({
  display: 'grid',
  gap: 20,
  alignContent: 'start',
  width: 'min(36rem, 100%)',
  marginInline: 'auto',
  padding: '24px 20px 32px',
  '& > [role]:empty': { display: 'contents' },
  // Content that is a part of a dialog elsewhere.
  '& .MuiDialogContent-root': { padding: 0, overflow: 'visible' },
  '& .MuiDialogActions-root': { padding: '20px 0 0' },
})

export function PhoneLayout({ children }: { children: ReactNode }) {
  return (
    <PageFrame>
      <Page>{children}</Page>
    </PageFrame>
  )
}
