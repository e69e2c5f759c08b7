import type { SignedInUser } from '@guidon/contract/account'
import type { ReactNode } from 'react'
import { HelpPanel } from './HelpPanel.tsx'
import { Main } from './Main.tsx'
import { PageFrame } from './PageFrame.tsx'
import { Paper } from './Paper.tsx'
import { PersonCard } from './PersonCard.tsx'
import { withClass } from './with-class.ts'
import css from './DashboardLayout.module.css'

const Columns = withClass('div', css['columns'])

const Side = withClass('aside', css['side'])

const HelpCard = withClass(Paper, css['helpCard'])

// Where the menu is fixed, the page must not lie under it.
const MenuSpace = withClass('div', css['menuSpace'])

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
            <HelpCard>
              <HelpPanel />
            </HelpCard>
          </Side>
        </Columns>
      </PageFrame>
    </MenuSpace>
  )
}
