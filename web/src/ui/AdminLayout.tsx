import type { ReactNode } from 'react'
import { Main } from './Main.tsx'
import { PageFrame } from './PageFrame.tsx'
import { withClass } from './with-class.ts'
import css from './AdminLayout.module.css'

const Page = withClass(Main, css['page'])

/** Full width, for tables. */
export function AdminLayout({ account, children }: { account: ReactNode; children: ReactNode }) {
  return (
    <PageFrame account={account}>
      <Page>{children}</Page>
    </PageFrame>
  )
}
