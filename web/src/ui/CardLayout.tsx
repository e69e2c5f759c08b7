import type { ReactNode } from 'react'
import { Main } from './Main.tsx'
import { PageFrame } from './PageFrame.tsx'
import { Paper } from './Paper.tsx'
import { withClass } from './with-class.ts'
import css from './CardLayout.module.css'

const Page = withClass(Main, css['page'])

const Card = withClass(Paper, css['card'])

/** One centred card, for a signed-in user with one task. */
export function CardLayout({ account, children }: { account: ReactNode; children: ReactNode }) {
  return (
    <PageFrame account={account}>
      <Page>
        <Card>{children}</Card>
      </Page>
    </PageFrame>
  )
}
