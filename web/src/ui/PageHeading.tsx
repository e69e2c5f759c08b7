import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { brand } from './brand.ts'
import { Typography } from './Typography.tsx'
import { useScreenFocus } from './use-screen-focus.ts'

interface Props {
  /** Title of the browser's tab. */
  title: string
  failed?: boolean
  children: ReactNode
}

/** The h1 of a screen. Sets the tab's title, and takes the focus when the screen replaces another. */
export function PageHeading({ title, failed = false, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useScreenFocus(heading)

  // Together with the heading, and not a moment later.
  useLayoutEffect(() => {
    document.title = `${failed ? 'Error: ' : ''}${title} – ${brand.name}`
  }, [title, failed])

  return (
    <Typography variant="h1" ref={heading} tabIndex={-1}>
      {children}
    </Typography>
  )
}
