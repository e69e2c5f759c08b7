import { styled } from '@mui/material/styles'
import type { MouseEvent, ReactNode } from 'react'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { MAIN_ID } from './Main.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'

const Frame = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  minHeight: 'calc(100dvh - var(--menu-height, 0px))',
})

const SkipLink = styled('a')(({ theme: { vars } }) => ({
  position: 'absolute',
  left: 12,
  top: 12,
  zIndex: 10,
  padding: '10px 20px',
  fontWeight: 700,
  borderRadius: 8,
  color: vars.palette.fill.ink,
  backgroundColor: vars.palette.fill.main,
  '&:not(:focus)': { transform: 'translateY(-200%)' },
}))

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
