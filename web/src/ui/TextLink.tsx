import type { ReactNode } from 'react'
import { Link as RouterLink } from 'react-router'
import { Link } from './Link.tsx'
import css from './TextLink.module.css'

interface Props {
  to: string
  /** Not inside a sentence, so it needs the height of a touch target. */
  standalone?: boolean
  children: ReactNode
}

/** A link to another screen. */
export function TextLink({ to, standalone = false, children }: Props) {
  return (
    <Link component={RouterLink} to={to} {...(standalone && { className: css['standalone'] })}>
      {children}
    </Link>
  )
}
