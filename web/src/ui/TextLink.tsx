import Link from '@mui/material/Link'
import type { ReactNode } from 'react'
import { Link as RouterLink } from 'react-router'

interface Props {
  to: string
  /** Not inside a sentence, so it needs the height of a touch target. */
  alone?: boolean
  children: ReactNode
}

const TARGET = { display: 'inline-flex', alignItems: 'center', minHeight: 44 }

/** A link to another screen. */
export function TextLink({ to, alone = false, children }: Props) {
  return (
    <Link component={RouterLink} to={to} {...(alone && { sx: TARGET })}>
      {children}
    </Link>
  )
}
