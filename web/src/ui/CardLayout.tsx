import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Main } from './Main.tsx'
import { PageFrame } from './PageFrame.tsx'

const Page = styled(Main)(({ theme: { breakpoints } }) => ({
  width: 'min(48rem, 100%)',
  marginInline: 'auto',
  padding: '20px 16px 32px',
  [breakpoints.up('md')]: { padding: '48px 32px' },
}))

const Card = styled(Paper)(({ theme: { breakpoints } }) => ({
  padding: '24px 20px 28px',
  [breakpoints.up('md')]: { padding: '36px 40px 40px' },
}))

/** One centred card, for a signed-in user with one task. */
export function CardLayout({ account, children }: { account: ReactNode; children: ReactNode }) {
  return (
    <PageFrame account={account}>
      <Page>
        <Card variant="outlined">{children}</Card>
      </Page>
    </PageFrame>
  )
}
