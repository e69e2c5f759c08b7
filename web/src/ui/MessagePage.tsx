import type { ReactNode } from 'react'
import { IconDisc } from './IconDisc.ts'
import { Main } from './Main.tsx'
import { PageFrame } from './PageFrame.tsx'
import { withClass } from './with-class.ts'
import css from './MessagePage.module.css'

const Middle = withClass(Main, css['middle'])

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
