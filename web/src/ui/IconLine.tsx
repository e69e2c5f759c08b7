import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

const Line = styled('span')(({ theme: { vars } }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 10,
  minWidth: 0,
  minHeight: 44,
  overflowWrap: 'anywhere',
  '& svg': { flex: 'none', fontSize: '1.2rem', color: vars.palette.text.secondary },
}))

interface Props {
  icon: ReactNode
  /** Makes the whole line a link, large enough for touch. */
  href?: string | undefined
  children: ReactNode
}

/** An icon and its text. */
export function IconLine({ icon, href, children }: Props) {
  const line = (
    <Line>
      {icon}
      <span>{children}</span>
    </Line>
  )
  if (href === undefined) return line
  return (
    <Link href={href} sx={{ display: 'inline-flex', minWidth: 0 }}>
      {line}
    </Link>
  )
}
