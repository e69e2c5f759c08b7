import type { ReactNode } from 'react'
import { Main } from '../../ui/Main.tsx'
import { PageFrame } from '../../ui/PageFrame.tsx'
import { withClass } from '../../ui/with-class.ts'
import css from './PhoneLayout.module.css'

const Page = withClass(Main, css['page'])

export function PhoneLayout({ children }: { children: ReactNode }) {
  return (
    <PageFrame>
      <Page>{children}</Page>
    </PageFrame>
  )
}
