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
  const { key, search } = useLocation()
  const lastSearch = useRef(search)

  useEffect(() => {
    document.title = `${failed ? 'Error: ' : ''}${title} – ${brand.name}`
  }, [title, failed])

  useEffect(() => {
    // A screen that notes in the address what it shows is still the same screen.
    const sameScreen = lastSearch.current !== search
    lastSearch.current = search
    // 'default' is the address the visit began with; there the browser starts at the top by itself.
    if (key !== 'default' && !sameScreen) heading.current?.focus()
  }, [key, search])

  return (
    <Typography variant="h1" ref={heading} tabIndex={-1}>
      {children}
    </Typography>
  )
}
