import OpenInNew from '@mui/icons-material/OpenInNew'
import Link from '@mui/material/Link'
import type { ReactNode } from 'react'

/** A link that leaves the portal; what is typed here stays open behind it. */
export function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      // In one piece, so that the icon does not stand alone on the next line.
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
