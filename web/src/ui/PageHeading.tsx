import Typography from '@mui/material/Typography'
import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { brand } from './brand.ts'

interface Props {
  /** Of the browser's tab. */
  title: string
  failed?: boolean
  children: ReactNode
}

/** The one h1 of a screen: names the tab, and takes the focus when the screen replaces another. */
export function PageHeading({ title, failed = false, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { key } = useLocation()

  useEffect(() => {
    document.title = `${failed ? 'Error: ' : ''}${title} – ${brand.name}`
  }, [title, failed])

  useEffect(() => {
    // 'default' is the address the visit began with; there the browser starts at the top by itself.
    if (key !== 'default') heading.current?.focus()
  }, [key])

  return (
    <Typography variant="h1" ref={heading} tabIndex={-1}>
      {children}
    </Typography>
  )
}
