import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { darkScene, lightScene } from './flag-scene-colours.ts'
import { FlagScene } from './FlagScene.tsx'
import { HelpPanel } from './HelpPanel.tsx'
import { Main } from './Main.tsx'
import { PageFrame } from './PageFrame.tsx'

const Card = styled('div')(({ theme: { vars, breakpoints } }) => ({
  display: 'grid',
  flex: 1,
  backgroundColor: vars.palette.background.paper,
  [breakpoints.down('md')]: { gridTemplateRows: '1fr auto' },
  [breakpoints.up('md')]: {
    gridTemplateColumns: 'minmax(0, 549fr) minmax(0, 490fr)',
    flex: 'none',
    width: 'min(1040px, 100% - 48px)',
    minHeight: 640,
    margin: 'auto',
    // Not `hidden`, which would break the sticky help card.
    overflow: 'clip',
    border: `1px solid ${vars.palette.divider}`,
    borderRadius: 24,
    boxShadow: '0 20px 44px rgb(11 34 57 / 0.10)',
  },
}))

const FormSide = styled(Main)(({ theme: { breakpoints } }) => ({
  padding: '20px 20px 28px',
  [breakpoints.between('sm', 'md')]: { width: 'min(34rem, 100%)', marginInline: 'auto' },
  [breakpoints.up('md')]: { padding: '52px 52px 44px' },
}))

const HelpSide = styled('aside')(({ theme: { vars, breakpoints } }) => ({
  padding: '20px 20px 28px',
  backgroundColor: vars.palette.tint.soft,
  [breakpoints.down('md')]: { '& > svg': { display: 'none' } },
  [breakpoints.between('sm', 'md')]: { '& > div': { width: 'min(32rem, 100%)', margin: 'auto' } },
  [breakpoints.up('md')]: {
    position: 'relative',
    display: 'flex',
    alignItems: 'flex-end',
    padding: 24,
    // Below the picture, a long form continues in the colour of the nearest hill.
    backgroundColor: lightScene.nearHill,
    '@media (prefers-color-scheme: dark)': { backgroundColor: darkScene.nearHill },
    '& > svg': { position: 'absolute', inset: 0, maxHeight: 800 },
    '& > div': {
      position: 'sticky',
      bottom: 24,
      flex: 1,
      padding: '26px 28px 28px',
      borderRadius: 16,
      border: `1px solid ${vars.palette.divider}`,
      backgroundColor: vars.palette.background.paper,
      boxShadow: '0 12px 28px rgb(11 34 57 / 0.18)',
    },
  },
}))

const Ground = styled('div')(({ theme: { breakpoints } }) => ({
  display: 'flex',
  flexDirection: 'column',
  flex: 1,
  [breakpoints.up('md')]: { paddingBlock: 40 },
}))

/** The card of every screen before sign-in: a form, with the help panel beside or below it. */
export function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <PageFrame>
      <Ground>
        <Card>
          <FormSide>{children}</FormSide>
          <HelpSide aria-label="Help">
            <FlagScene />
            <div>
              <HelpPanel />
            </div>
          </HelpSide>
        </Card>
      </Ground>
    </PageFrame>
  )
}
