import type { SignedInUser } from '@guidon/contract/account'
import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { HelpPanel } from './HelpPanel.tsx'
import { Main } from './Main.tsx'
import { menuPlaces } from './menu-places.ts'
import { PageFrame } from './PageFrame.tsx'
import { PersonCard } from './PersonCard.tsx'

const Columns = styled('div')(({ theme: { breakpoints } }) => ({
  flex: 1,
  width: 'min(1320px, 100%)',
  margin: '0 auto',
  padding: '20px 16px 32px',
  display: 'grid',
  alignContent: 'start',
  gap: 24,
  [breakpoints.up('md')]: {
    gridTemplateColumns: '184px minmax(0, 1fr) 272px',
    alignItems: 'start',
    gap: 32,
    padding: '36px 32px 48px',
  },
  [breakpoints.up('lg')]: { gridTemplateColumns: '200px minmax(0, 1fr) 290px' },
}))

const Side = styled('aside')({ display: 'grid', gap: 16 })

const HelpCard = styled(Paper)(({ theme: { vars } }) => ({
  padding: 20,
  backgroundColor: vars.palette.tint.faint,
}))

// Where the menu is fixed, the page must not lie under it.
const MenuSpace = styled('div')({
  [menuPlaces.bottom]: {
    '--menu-height': 'calc(3.9rem + env(safe-area-inset-bottom))',
    paddingBottom: 'var(--menu-height)',
  },
  [menuPlaces.side]: {
    '--menu-width': 'calc(5.4rem + env(safe-area-inset-left))',
    paddingLeft: 'var(--menu-width)',
  },
})

interface Props {
  menu: ReactNode
  person: SignedInUser
  children: ReactNode
}

/** The frame of a signed-in veteran's pages: menu, page, user and help. */
export function DashboardLayout({ menu, person, children }: Props) {
  return (
    <MenuSpace>
      <PageFrame>
        <Columns>
          {menu}
          <Main>{children}</Main>
          <Side aria-label="Your details and help">
            <PersonCard {...person} />
            <HelpCard variant="outlined">
              <HelpPanel />
            </HelpCard>
          </Side>
        </Columns>
      </PageFrame>
    </MenuSpace>
  )
}
