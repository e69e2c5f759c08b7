import Typography from '@mui/material/Typography'
import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { brand } from './brand.ts'

interface Props {
  /** Title of the browser's tab. */
  title: string
  failed?: boolean
  children: ReactNode
}

/** The h1 of a screen. Sets the tab's title, and takes the focus when the screen replaces another. */
export function PageHeading({ title, failed = false, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { key, search } = useLocation()
  const lastSearch = useRef(search)

  useEffect(() => {
    document.title = `${failed ? 'Error: ' : ''}${title} – ${brand.name}`
  }, [title, failed])

  useEffect(() => {
    // A change of the query is not a new screen.
    const sameScreen = lastSearch.current !== search
    lastSearch.current = search
    // 'default' is the first page of the visit, where the browser sets the focus itself.
    if (key !== 'default' && !sameScreen) heading.current?.focus()
  }, [key, search])

  return (
    <Typography variant="h1" ref={heading} tabIndex={-1}>
      {children}
    </Typography>
  )
}
