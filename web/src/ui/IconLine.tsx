import type { ReactNode } from 'react'
import { Link } from './Link.tsx'
import { withClass } from './with-class.ts'
import css from './IconLine.module.css'

const Line = withClass('span', css['line'])

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
    <Link href={href} className={css['link']}>
      {line}
    </Link>
  )
}
