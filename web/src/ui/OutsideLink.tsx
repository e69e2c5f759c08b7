import OpenInNew from '@mui/icons-material/OpenInNew'
import type { ReactNode } from 'react'
import { Link } from './Link.tsx'
import css from './OutsideLink.module.css'

/** A link out of the portal, in a new tab so that typed input is not lost. */
export function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      // Keeps the icon on the same line as the text.
      className={css['link']}
    >
      {children}
      <OpenInNew titleAccess="(opens in a new tab)" className={css['openInNew']} />
    </Link>
  )
}
