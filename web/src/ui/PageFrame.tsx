import type { MouseEvent, ReactNode } from 'react'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { MAIN_ID } from './Main.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { withClass } from './with-class.ts'
import css from './PageFrame.module.css'

const Frame = withClass('div', css['frame'])

const SkipLink = withClass('a', css['skipLink'])

/** Moves the focus by script: a `#` in the address would make the router treat it as a new screen. */
function skip(event: MouseEvent): void {
  event.preventDefault()
  document.getElementById(MAIN_ID)?.focus()
}

/** Skip link, header and footer of every screen. The screen renders its own `Main`. */
export function PageFrame({ account, children }: { account?: ReactNode; children: ReactNode }) {
  return (
    <Frame>
      <SkipLink href={`#${MAIN_ID}`} onClick={skip}>
        Skip to main content
      </SkipLink>
      <Header>{account}</Header>
      <OfflineBanner />
      {children}
      <Footer />
    </Frame>
  )
}
