import type { ReactNode } from 'react'
import { FlagScene } from './FlagScene.tsx'
import { HelpPanel } from './HelpPanel.tsx'
import { Main } from './Main.tsx'
import { PageFrame } from './PageFrame.tsx'
import { withClass } from './with-class.ts'
import css from './AuthLayout.module.css'

const Card = withClass('div', css['card'])

const FormSide = withClass(Main, css['formSide'])

const HelpSide = withClass('aside', css['helpSide'])

const Ground = withClass('div', css['ground'])

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
