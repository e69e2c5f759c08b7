import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Main } from './Main.tsx'
import { PageFrame } from './PageFrame.tsx'

const Page = styled(Main)(({ theme: { breakpoints } }) => ({
  padding: '20px 16px 32px',
  [breakpoints.up('md')]: { padding: '32px 32px 48px' },
}))

/** Full width, for tables. */
export function AdminLayout({ account, children }: { account: ReactNode; children: ReactNode }) {
  return (
    <PageFrame account={account}>
      <Page>{children}</Page>
    </PageFrame>
  )
}
