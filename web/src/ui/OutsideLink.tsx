import OpenInNew from '@mui/icons-material/OpenInNew'
import Link from '@mui/material/Link'
import type { ReactNode } from 'react'

/** A link out of the portal, in a new tab so that typed input is not lost. */
export function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      // Keeps the icon on the same line as the text.
      sx={{ display: 'inline-block' }}
    >
      {children}
      <OpenInNew
        titleAccess="(opens in a new tab)"
        sx={{ ml: '0.25em', fontSize: '0.95em', verticalAlign: '-0.1em' }}
      />
    </Link>
  )
}
